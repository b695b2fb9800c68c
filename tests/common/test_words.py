from __future__ import annotations

from speed_common.words import COUNT, WORDS, key_words


def test_the_words_are_512_short_plain_and_different_ones() -> None:
    assert len(set(WORDS)) == len(WORDS) == 512
    assert all(word.isascii() and word.islower() and word.isalpha() and 3 <= len(word) <= 8 for word in WORDS)


def test_no_word_is_heard_as_two_others() -> None:
    assert not {first + second for first in WORDS for second in WORDS} & set(WORDS)


def test_a_key_always_reads_the_same() -> None:
    assert key_words("k" * 40) == "kayak belt snow soap"


def test_another_key_reads_otherwise() -> None:
    read = [key_words(f"{number:040}") for number in range(8)]
    assert len(set(read)) == len(read)
    assert all(len(words.split()) == COUNT for words in read)
    assert all(set(words.split()) <= set(WORDS) for words in read)
