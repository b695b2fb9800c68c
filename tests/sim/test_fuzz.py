"""Broken messages, a bounded number of them; `scripts/soak --fuzz 1000000` sends more."""

from __future__ import annotations

import pytest
from tests.sim.fuzz import fuzz
from tests.sim.fuzz_readers import READERS, fuzz_readers
from tests.sim.fuzz_sockets import fuzz_sockets

COUNT = 4_000


@pytest.mark.parametrize("seed", range(3))
def test_no_message_brings_a_decoder_or_the_hub_down_or_makes_it_grow(seed: int) -> None:
    fuzzed = fuzz(seed, COUNT)
    assert not fuzzed.wrong
    assert fuzzed.understood > COUNT // 10
    assert fuzzed.understood < COUNT - COUNT // 10


def test_every_reader_takes_what_is_good() -> None:
    for read, _, good in READERS.values():
        read(good if b"\xe2\x80\xae" not in good else b"anna")


def test_nothing_broken_makes_a_reader_raise_what_it_does_not_declare_or_grow() -> None:
    fuzzed = fuzz_readers(1, 6_000)
    assert not fuzzed.wrong
    assert fuzzed.understood > 300


def test_a_real_server_outlives_broken_messages_and_broken_frames_and_still_answers() -> None:
    fuzzed = fuzz_sockets(1, 4_000)
    assert not fuzzed.wrong
    assert fuzzed.understood > 1_000
