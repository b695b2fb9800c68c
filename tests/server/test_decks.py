from __future__ import annotations

import random

from speed_common.deck import CodeStream, SecretStream
from speed_server.decks import Decks


def numbers(decks: Decks, deals: int) -> list[int | None]:
    """The numbers of so many deals, each revealed; None is a secret one."""
    found = []
    for _ in range(deals):
        stream = decks.stream()
        found.append(stream.number if isinstance(stream, CodeStream) else None)
        decks.used()
    return found


def chance() -> random.Random:
    return random.Random(3)


def test_every_deal_is_secret_and_another_where_nothing_was_asked_for() -> None:
    decks = Decks(chance().randbytes, None, None)
    seeds = []
    for _ in range(3):
        stream = decks.stream()
        assert isinstance(stream, SecretStream)
        seeds.append(stream.seed)
        decks.used()
    assert len(set(seeds)) == 3


def test_a_code_is_dealt_first_and_then_numbers_that_nobody_knew() -> None:
    decks = Decks(chance().randbytes, 5, None)
    first, *others = numbers(decks, 4)
    assert first == 5
    assert None not in others
    assert len({first, *others}) == 4


def test_a_deal_that_was_not_revealed_is_still_the_next() -> None:
    decks = Decks(chance().randbytes, 5, None)
    decks.stream()
    assert numbers(decks, 1) == [5]


def test_the_hosts_one_deal_follows_whatever_was_asked_for() -> None:
    assert numbers(Decks(chance().randbytes, None, 9), 3) == [9, 9, 9]
    assert numbers(Decks(chance().randbytes, 5, 9), 3) == [5, 9, 9]
