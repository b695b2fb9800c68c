"""The game and the reference in lock step: the same deal, the same requests, and after each the same answer and table.

Only here do the two meet; what one calls a card, a rank or a refusal is put into the other's words.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any, NamedTuple

from tests.reference.random_deals import Players, Step, random_parameters
from tests.reference.slow_deck import JOKER, Card, Parameters
from tests.reference.slow_speed import Outcome, Refused, SlowTable
from tests.reference.slow_state import OVER, WAITING, Happened

from speed_common import events as real
from speed_common import state as real_state
from speed_common.cards import FIRST_JOKER, NO_CARD, NO_RANK
from speed_common.decide import decide
from speed_common.deck import CodeStream, lay_out
from speed_common.presets import make_rules
from speed_common.rules import Rules
from speed_common.table import evolve

MOST_STEPS = 1_500
AFTERWARDS = 3
SUITS = "CDHS"


class Difference(NamedTuple):
    """Where the two parted, with all that is needed to see it again."""

    seed: int
    how: Parameters
    step: int
    request: Step | None
    what: str

    def __str__(self) -> str:
        return f"seed {self.seed}, step {self.step}: {self.request}\n  {self.how}\n  {self.what}"


class Met(NamedTuple):
    """What one deal went through."""

    seed: int
    difference: Difference | None
    words: frozenset[str]
    steps: int


# The game's words for the reference's things, and back.


def to_rules(how: Parameters) -> Rules:
    return make_rules(
        players=how.players,
        decks=how.decks,
        jokers=how.jokers,
        hand_size=how.hand_size,
        draw_size=how.draw_size,
        piles=how.piles,
        side_size=how.side_size,
        out=how.out,
        wrap=how.wrap,
        same_rank=how.same_rank,
        joker_mode=how.joker_mode,
        reshuffle=how.reshuffle,
        tuck=how.tuck,
        refill=how.refill,
        flip_trigger=how.flip_trigger,
        flip_delay_us=how.flip_delay,
        beaten_window_us=how.beaten_window,
        call_speed=how.call_speed,
        call_window_us=how.call_window,
        false_call=how.false_call,
    )


@cache
def to_number(card: Card | None) -> int:
    if card is None:
        return NO_CARD
    if card.rank == JOKER:
        return FIRST_JOKER + card.copy
    return 52 * card.copy + 13 * SUITS.index(card.suit) + card.rank - 1


@cache
def to_card(number: int) -> Card | None:
    if number == NO_CARD:
        return None
    if number >= FIRST_JOKER:
        return Card(JOKER, "*", number - FIRST_JOKER)
    return Card(number % 13 + 1, SUITS[number // 13 % 4], number // 52)


def to_rank(number: int) -> int | None:
    return None if number == NO_RANK else number + 1


def row(numbers: Any) -> list[Card | None]:
    return [to_card(number) for number in numbers]


def rows(heaps: Any) -> list[list[Card | None]]:
    return [row(heap) for heap in heaps]


def to_request(step: Step) -> real.Request:
    match step.word:
        case "reveal":
            return real.Reveal(step.at)
        case "draw":
            return real.Draw(step.player, step.at)
        case "due":
            return real.Due(step.at)
        case "ask":
            return real.AskFlip(step.player, step.at)
        case "call":
            return real.Call(step.player, step.at)
        case "leave":
            return real.Leave(step.player, step.at)
    pile = real.AUTO_PILE if step.pile is None else step.pile
    named = NO_RANK if step.named is None else step.named - 1
    return real.Play(step.player, to_number(step.card), pile, step.at, named)


def ask_slowly(table: SlowTable, step: Step) -> Outcome:
    match step.word:
        case "reveal":
            return table.reveal()
        case "draw":
            return table.draw(step.player, step.at)
        case "due":
            return table.due_now(step.at)
        case "ask":
            return table.ask_flip(step.player, step.at)
        case "call":
            return table.call(step.player, step.at)
        case "leave":
            return table.leave(step.player, step.at)
    assert step.card is not None
    return table.play(step.player, step.card, step.pile, step.named, step.at)


def told(event: Any) -> Happened:
    """One of the game's events as the reference tells it."""
    return TELLING[type(event)](event)


def _of_seat(word: str) -> Callable[[Any], Happened]:
    return lambda event: (word, event.at, event.seat)


TELLING: dict[type, Callable[[Any], Happened]] = {
    real.Revealed: lambda event: ("revealed", event.at),
    real.Played: lambda event: (
        *("played", event.at, event.seat, event.slot, to_card(event.card)),
        *(event.pile, to_rank(event.named), to_card(event.refill)),
    ),
    real.Drew: lambda event: ("drew", event.at, event.seat, event.slot, to_card(event.card)),
    real.Stuck: lambda event: ("stuck", event.at, event.due),
    real.Waiting: lambda event: ("waiting", event.at, event.due),
    real.Freed: lambda event: ("freed", event.at, None),
    real.Flipped: lambda event: ("flipped", event.at, row(event.tops)),
    real.Reshuffled: lambda event: ("reshuffled", event.at, [len(side) for side in event.sides]),
    real.Tucked: lambda event: ("tucked", event.at),
    real.Won: lambda event: ("won", event.at, event.seat, event.score, "forfeit" if event.forfeit else "out"),
    real.Voided: lambda event: ("voided", event.at),
    real.Emptied: _of_seat("calling"),
    real.Frozen: _of_seat("frozen"),
    real.Took: lambda event: ("took", event.at, event.seat, event.pile, None if event.by < 0 else event.by),
    real.FlipAsked: _of_seat("asked"),
    real.Left: _of_seat("left"),
}

IDLE = {"gone", "asked", "frozen_until"}
"""What means nothing any more when the deal is over."""

PHASES = {
    real_state.DEALT: "dealt",
    real_state.PLAYING: "playing",
    real_state.STUCK: "stuck",
    real_state.CALLING: "calling",
    real_state.OVER: "over",
}


def state_of(table: real_state.Table) -> dict[str, Any]:
    """All of the game's table, in the reference's words."""
    return {
        "phase": PHASES[table.phase],
        "due": table.due,
        "hands": rows(table.hands),
        "draws": rows(table.draws),
        "centre": [row([*under, top]) for under, top in zip(table.under, table.tops, strict=True)],
        "sides": rows(table.sides),
        "out": row(table.out),
        "named": [to_rank(named) for named in table.named],
        "winner": None if table.winner == real.NOBODY else table.winner,
        "score": table.score,
        "played_since_filling": table.played_since_filling,
        "tucked_since_filling": table.tucked_since_filling,
        "caller": None if table.emptied == real.NOBODY else table.emptied,
        "gone": {seat for seat, gone in enumerate(table.gone) if gone},
        "asked": {seat for seat, asked in enumerate(table.asked) if asked},
        "frozen_until": [0 if gone else max(0, until) for until, gone in zip(table.frozen, table.gone, strict=True)],
    }


def slow_state_of(table: SlowTable) -> dict[str, Any]:
    return {
        "phase": "playing" if table.phase == WAITING else table.phase,
        "due": table.due,
        "hands": table.hands,
        "draws": table.draws,
        "centre": table.centre,
        "sides": table.sides,
        "out": table.out,
        "named": table.named,
        "winner": table.winner,
        "score": table.score,
        "played_since_filling": table.played_since_filling,
        "tucked_since_filling": table.tucked_since_filling,
        "caller": table.caller,
        "gone": table.gone,
        "asked": table.asked,
        "frozen_until": [0 if player in table.gone else until for player, until in enumerate(table.frozen_until)],
    }


class LockStep:
    """One deal played by both at once."""

    def __init__(self, how: Parameters, number: int) -> None:
        stream = CodeStream(number)
        rules = to_rules(how)
        layout = lay_out(rules, stream)
        self.game = real_state.new_table(rules, layout, stream)
        self.slow = SlowTable.of_number(how, number)
        self.words: set[str] = set()

    def ask(self, step: Step) -> str | None:
        """Both do the step; what differs, if anything does."""
        answer = decide(self.game, to_request(step))
        outcome = ask_slowly(self.slow, step)
        if isinstance(answer, real.Refusal) or isinstance(outcome, Refused):
            verdicts = _verdict(answer), _verdict(outcome)
            self.words.add(outcome.word if isinstance(outcome, Refused) else "accepted")
        else:
            for event in answer:
                evolve(self.game, event)
            verdicts = [told(event) for event in answer], outcome
            self.words.update(what[0] for what in outcome)
        if verdicts[0] != verdicts[1]:
            return f"game:      {verdicts[0]}\n  reference: {verdicts[1]}"
        return self.apart()

    def apart(self) -> str | None:
        """Which part of the two tables differs."""
        game, slow = state_of(self.game), slow_state_of(self.slow)
        different = [
            name for name in game if game[name] != slow[name] and (self.slow.phase != OVER or name not in IDLE)
        ]
        return "\n  ".join(f"{name}: game {game[name]}, reference {slow[name]}" for name in different) or None


def _verdict(answer: Any) -> Any:
    if isinstance(answer, real.Refusal):
        raced = answer.word in {"beaten", "late_link"}
        return (answer.word, answer.late, answer.by, answer.pile) if raced else answer.word
    if isinstance(answer, Refused):
        return tuple(answer) if answer.by is not None else answer.word
    return f"accepted {answer}"


def compare(seed: int) -> Met:
    """Play the random deal of this seed in lock step."""
    random = Random(seed)
    how = random_parameters(random)
    both = LockStep(how, random.randrange(36**6))
    players = Players(both.slow, random)
    difference = both.apart()
    step, count, after = None, 0, 0
    while difference is None and count < MOST_STEPS and after < AFTERWARDS:
        after += both.slow.winner is not None or both.slow.phase == "over"
        step, count = players.next(), count + 1
        difference = both.ask(step)
    found = Difference(seed, how, count, step, difference) if difference else None
    return Met(seed, found, frozenset(both.words), count)
