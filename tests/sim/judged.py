"""Whether a finished deal's record is right: it verifies, and the slow reference comes to the same at every request."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from tests.reference.agreement import LockStep, to_card
from tests.reference.random_deals import Step
from tests.reference.slow_deck import Card, Parameters, SplitMix64, fresh_deck, hand_out
from tests.reference.slow_speed import SlowTable
from tests.sim.truth import Breach

from speed_common import events as real
from speed_common.cards import NO_RANK
from speed_common.deck import CodeStream, SecretStream, lay_out
from speed_common.record import NOT_JUDGED, NumberedCards
from speed_common.record_read import Line, Record, RecordError
from speed_common.record_words import _CARDS
from speed_common.rules import Rules
from speed_common.table import OVER, new_table
from speed_common.verify import verify
from speed_server.records import Finished


class Shake:
    """A secret seed's words, made by the byte, and the Fisher-Yates that they feed; shares no code with the game's."""

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self._at = 0
        self._made = b""

    def _next(self) -> int:
        end = self._at + 8
        if end > len(self._made):
            self._made = hashlib.shake_256(self._seed).digest(2 * end + 1024)
        word = int.from_bytes(self._made[self._at : end], "little")
        self._at = end
        return word

    def shuffled(self, row: list[Card]) -> list[Card]:
        row = list(row)
        for last in range(len(row) - 1, 0, -1):
            fair = 2**64 - 2**64 % (last + 1)
            word = self._next()
            while word >= fair:
                word = self._next()
            row[last], row[word % (last + 1)] = row[word % (last + 1)], row[last]
        return row


def parameters_of(rules: Rules) -> Parameters:
    return Parameters(
        players=rules.players,
        decks=rules.decks,
        jokers=rules.jokers,
        hand_size=rules.hand_size,
        draw_size=rules.draw_size,
        piles=rules.piles,
        side_size=rules.side_size,
        out=rules.out,
        wrap=rules.wrap,
        same_rank=rules.same_rank,
        joker_mode=rules.joker_mode,
        reshuffle=rules.reshuffle,
        tuck=rules.tuck,
        refill=rules.refill,
        flip_trigger=rules.flip_trigger,
        flip_delay=rules.flip_delay_us,
        beaten_window=rules.beaten_window_us,
        call_speed=rules.call_speed,
        call_window=rules.call_window_us,
        false_call=rules.false_call,
    )


class SameDeal(LockStep):
    """The record's deal, asked of the game and of the reference at once."""

    def __init__(self, record: Record) -> None:
        rules, cards = record.heading.rules, record.heading.cards
        how = parameters_of(rules)
        stream: CodeStream | SecretStream
        if isinstance(cards, NumberedCards):
            stream, shuffler = CodeStream(cards.number), SplitMix64(cards.number)
        else:
            seed = bytes.fromhex(cards.seed)
            stream, shuffler = SecretStream(seed), Shake(seed)  # type: ignore[assignment]
        self.game = new_table(rules, lay_out(rules, stream), stream)
        self.slow = SlowTable(how, hand_out(how, shuffler.shuffled(fresh_deck(how.decks, how.jokers))), shuffler)
        self.words = set()

    def apart(self) -> str | None:
        return None  # after each step the answers are enough; the tables are compared at the end

    def apart_at_last(self) -> str | None:
        return super().apart()


def check(finished: Finished, hold_ns: int) -> Record:
    """Raises `Breach` unless the record is right in every way; gives it back."""
    try:
        record = verify(b"".join(finished.lines("2026-11-30T21:41:13Z")))
    except RecordError as error:
        raise Breach(f"the record of table {finished.heading.table} is not right: {error}") from None
    deal = SameDeal(record)
    for line in record.lines:
        _check_press(line, hold_ns)
        for step in steps_of(line):
            apart = deal.ask(step)
            if apart is not None:
                raise Breach(f"line {line.number}, {line.request}: the reference disagrees: {apart}")
    ending, game = record.ending, deal.game
    if ending.end != "unfinished" and (game.phase != OVER or game.score != ending.score):
        raise Breach(f"the record ends with {ending}, its requests with {game}")
    apart = deal.apart_at_last()
    if apart is not None:
        raise Breach(f"at the end of the deal the reference disagrees: {apart}")
    return record


def steps_of(line: Line) -> Iterator[Step]:
    """The reference's request for a record's line; none for what moves no card, or was never judged."""
    asked, at = line.request, line.request.at
    if line.verdict in NOT_JUDGED and isinstance(asked, real.Play | real.Draw | real.Call):
        return
    match asked:
        case real.Reveal():
            yield Step("reveal", 0, 0)
        case real.Due():
            yield Step("due", 0, at)
        case real.Draw() | real.Call() | real.Leave():
            yield Step(type(asked).__name__.lower(), asked.seat, at)
        case real.AskFlip():
            yield Step("ask", asked.seat, at)
        case real.Play():
            pile = None if asked.pile == real.AUTO_PILE else asked.pile
            named = None if asked.named == NO_RANK else asked.named + 1
            yield Step("play", asked.seat, at, to_card(asked.card), pile, named)
        case real.Autoplay() if line.verdict == "accepted":
            yield from _autoplay(line)


def _autoplay(line: Line) -> Iterator[Step]:
    for event in line.events:
        if event["type"] == "played":
            yield Step("play", event["seat"], line.request.at, to_card(_CARDS[event["card"]]), event["pile"])


def _check_press(line: Line, hold_ns: int) -> None:
    """No stamp makes a press older at its arrival than the order allows, nor younger."""
    press, arrival = line.extras.get("press_us"), line.extras.get("arrival_us")
    if press is None or arrival is None:
        return
    if press > max(0, arrival) or (press < arrival - hold_ns // 1_000 - 1 and press > 0):
        raise Breach(f"line {line.number}: a press of {press} us counts that came at {arrival} us")
    if press == 0 and arrival > hold_ns // 1_000 + 1:
        raise Breach(f"line {line.number}: a press at the reveal counts that came at {arrival} us")
