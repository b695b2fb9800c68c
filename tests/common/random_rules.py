"""Random legal rules: what the laws of tables, views and messages are tested over. Knows the balance and no preset."""

from __future__ import annotations

from functools import cache

from hypothesis import strategies as st

from speed_common.rules import MAX_DRAW, MAX_SIDE, SECOND_US, Rules

Sizes = dict[str, int]


@cache
def balanced(players: int, decks: int, jokers: int) -> tuple[Sizes, ...]:
    """All sizes of hands and piles that deal these cards out."""
    cards = 52 * decks + jokers
    found: list[Sizes] = []
    for hand in range(1, 11):
        for draw in range(MAX_DRAW + 1):
            for piles in range(2, 5):
                for out in range(piles):
                    side, rest = divmod(cards - out - players * (hand + draw) - piles, piles)
                    if not rest and 1 <= side <= MAX_SIDE:
                        found.append(
                            {"hand_size": hand, "draw_size": draw, "piles": piles, "side_size": side, "out": out}
                        )
    return tuple(found)


@st.composite
def any_rules(
    draw: st.DrawFn,
    *,
    players: st.SearchStrategy[int] | None = None,
    tuck: bool | None = None,
    call_speed: bool | None = None,
) -> Rules:
    """Any legal rules; what is given is not random."""
    seats = draw(players or st.sampled_from([2, 2, 3, 4]))
    decks = draw(st.sampled_from([1, 2]))
    jokers = draw(st.sampled_from([0, 0, 2, 4]))
    sizes = draw(st.sampled_from(balanced(seats, decks, jokers)))
    return Rules(
        players=seats,
        decks=decks,
        jokers=jokers,
        **sizes,
        wrap=draw(st.booleans()),
        same_rank=draw(st.booleans()),
        joker_mode=draw(st.sampled_from(["open", "declared"])) if jokers else "open",
        reshuffle=draw(st.sampled_from(["pooled", "per_pile"])),
        tuck=draw(st.booleans()) if tuck is None else tuck,
        refill=draw(st.sampled_from(["auto", "manual"])),
        flip_trigger=draw(st.sampled_from(["auto", "all_ready"])),
        call_speed=draw(st.booleans()) if call_speed is None else call_speed,
        false_call=draw(st.sampled_from(["none", "freeze", "cards"])),
        flip_delay_us=draw(st.sampled_from([0, SECOND_US // 2, SECOND_US])),
        idle_autoplay_us=draw(st.sampled_from([0, 10 * SECOND_US])),
    )
