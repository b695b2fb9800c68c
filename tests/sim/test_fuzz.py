"""Broken messages, a bounded number of them; `scripts/soak --fuzz 1000000` sends more."""

from __future__ import annotations

import pytest
from tests.sim.fuzz import fuzz

COUNT = 4_000


@pytest.mark.parametrize("seed", range(3))
def test_no_message_brings_a_decoder_or_the_hub_down_or_makes_it_grow(seed: int) -> None:
    fuzzed = fuzz(seed, COUNT)
    assert not fuzzed.wrong
    assert fuzzed.understood > COUNT // 10
    assert fuzzed.understood < COUNT - COUNT // 10
