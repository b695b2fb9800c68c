"""Models of two players at one terminal, made of those of one."""

from __future__ import annotations

import dataclasses

from msgspec.structs import replace
from tests.client.screens import CALM, COUNTDOWN, FOUR, OVER, WAITING, hand

from speed_client.model import TableModel
from speed_client.painters.two import TwoModel
from speed_client.story import Notice

THEIRS = hand("KS 9C 2H *1 5D")
LATE = Notice("beaten by 0.12 s — anna played J♦ first", "late")


def seen_by_the_other(model: TableModel) -> TableModel:
    """The same table from the other chair."""
    own = replace(model.foes[0], hand=THEIRS if model.stage == "playing" else model.foes[0].hand)
    outcome = model.outcome and replace(model.outcome, won=not model.outcome.won)
    return replace(model, bottom=own, foes=(model.bottom,), outcome=outcome)


PLAYING = TwoModel(CALM, replace(seen_by_the_other(CALM), notice=LATE))
SENT = dataclasses.replace(
    PLAYING,
    left=replace(
        CALM, bottom=replace(CALM.bottom, hand=(replace(CALM.bottom.hand[0], sent=True), *CALM.bottom.hand[1:]))
    ),
)
TWO_SCREENS = {
    "two": PLAYING,
    "two-sent": SENT,
    "two-countdown": TwoModel(COUNTDOWN, seen_by_the_other(COUNTDOWN)),
    "two-result": TwoModel(OVER, seen_by_the_other(OVER)),
    "two-ready": TwoModel(WAITING, seen_by_the_other(WAITING)),
    "two-help": dataclasses.replace(PLAYING, overlay="help", layout="azerty"),
    "two-menu": dataclasses.replace(PLAYING, overlay="menu", choice=1),
    "two-leave": dataclasses.replace(PLAYING, overlay="leave"),
    "two-connecting": TwoModel(TableModel(), TableModel()),
    "two-ended": dataclasses.replace(PLAYING, end="the server is stopping"),
    "two-of-four": TwoModel(FOUR, replace(FOUR, bottom=replace(FOUR.foes[0], hand=THEIRS)), FOUR.foes[1:]),
    "two-many": TwoModel(
        replace(CALM, bottom=replace(CALM.bottom, hand=hand("10H 3C 7D QS AD 2C 4D 5S 6H --"))),
        replace(CALM, bottom=replace(CALM.foes[0], hand=hand("KS 9C 2H 3H 5D 6D 7S 8H 10C JS"))),
    ),
}
