"""What a screen remembers between two frames: the sentence in the middle, the last plays, the pace, a pile's flash.

The mirror says how the table is, the story what just happened to it. It is told the session's news and gives values;
instants are this machine's nanoseconds, deal times microseconds. Nothing in it grows: the log is a ring.
"""
# ruff: noqa: RUF001 - dashes are meant as they stand on the screen

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from speed_client.news import Denied, Happened, LinkChanged, News, PlayRefused, Practised, RoomChanged
from speed_client.printable import printable
from speed_client.progress import practised_words
from speed_client.wording import contest_words, late_words, margin_words, others_left, pile_word
from speed_common.cards import NO_CARD, NO_RANK, RANK_NAMES, card_name
from speed_common.events import (
    AUTO_PILE,
    NOBODY,
    Beaten,
    Emptied,
    FlipAsked,
    Flipped,
    Frozen,
    Left,
    Played,
    Reshuffled,
    Revealed,
    Took,
    Tucked,
    Won,
)
from speed_common.table import SPECTATOR
from speed_common.wire import COUNTDOWN, PLAYING, WAITING, Reactions, Room

NOTICE_NS: Final = 1_500_000_000
LONG_NOTICE_NS: Final = 2_500_000_000
FLASH_NS: Final = 120_000_000
LOG_LINES: Final = 16
PACE_PLAYS: Final = 7

RESHUFFLED: Final = "side piles were empty: centre cards reshuffled, then flipped"
TUCKED: Final = "no pile helped anybody: all hands tucked under the draw piles"

_REFUSED: Final = {
    "not_started": "wait for the cards",
    "deal_over": "the deal is over",
    "paused": "paused: nobody plays until all are back",
    "calling": "somebody has no cards left and must call first",
    "frozen": "you called with cards left: wait",
    "not_due": "the table is not stuck",
    "too_fast": "too fast: too many of your plays wait at the server",
    "not_seated": "you hold no seat here",
    "hand_full": "your hand is full",
    "nothing_to_draw": "your draw pile is empty",
}


@dataclass(frozen=True, slots=True)
class Notice:
    """The sentence in the middle; `kind` is a style name."""

    text: str
    kind: str = "status"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the log of plays. `seat` is `SPECTATOR` where nobody did it; `at` is deal time."""

    at: int
    seat: int
    text: str
    late: bool = False


class Story:
    """The memory of one table's screen."""

    def __init__(self) -> None:
        self.notice = Notice("")
        self.until = 0
        self.hold_ns = NOTICE_NS
        self.log: deque[Line] = deque(maxlen=LOG_LINES)
        self.gaps: dict[int, deque[int]] = {}
        self.flashes: dict[int, int] = {}
        self.players: dict[int, str] = {}
        """Who plays, or played, the newest deal: a seat may be free by now."""
        self.gains: tuple[str, ...] = ()
        """What the newest deal brought in practice."""
        self.room: Room | None = None
        self.seat = SPECTATOR
        self._last_play: dict[int, int] = {}
        self._reshuffled_at: int | None = None

    def say(self, text: str, now: int, kind: str = "status", hold_ns: int = 0) -> None:
        """Show a sentence for a while (0: as long as the player likes), or until the next one."""
        self.notice, self.until = Notice(text, kind), now + (hold_ns or self.hold_ns)

    def take(self, news: Iterable[News], now: int) -> None:
        """Remember what of these news a screen needs."""
        for item in news:
            if isinstance(item, Happened):
                self._happened(item, now)
            elif isinstance(item, RoomChanged):
                self._room(item, now)
            elif isinstance(item, Practised):
                self.gains = practised_words(item)
            elif isinstance(item, PlayRefused):
                self._refused(item, now)
            elif isinstance(item, LinkChanged):
                if item.link == "up" and self.room is not None:
                    self.say("the link is back", now, "good")
                elif item.link == "lost":
                    self._last_play.clear()  # plays will be missed, and the next gap would span them
                    self.say("no link: trying again", now, "late", 60 * NOTICE_NS)
            elif isinstance(item, Denied):
                self.say(item.text or f"the server refused: {item.word}", now, "late")

    def name(self, seat: int) -> str:
        """The name at a seat, as it stands in sentences."""
        room = self.room
        named = room.seats[seat].name if room is not None and 0 <= seat < len(room.seats) else ""
        return named or self.players.get(seat, "somebody")

    def _who(self, seat: int, does: str, do: str) -> str:
        """A seat and its verb: `bob calls`, `you call`."""
        return f"you {do}" if seat == self.seat else f"{self.name(seat)} {does}"

    def _pile(self, pile: int) -> str:
        return pile_word(pile, self.room.rules.piles if self.room is not None else 0)

    def _happened(self, item: Happened, now: int) -> None:
        event = item.event
        if isinstance(event, Played):
            self._played(event, now)
        elif isinstance(event, Emptied | Frozen | Took | FlipAsked | Left):
            self._house_rule(event, now)
        elif isinstance(event, Revealed):
            self._new_deal()
            self._last_play = dict.fromkeys(range(len(event.hands)), event.at)
        elif isinstance(event, Beaten):
            self._lost_race(event, item.race, now)
        elif isinstance(event, Reshuffled):
            self._reshuffled_at = event.at
            self.log.appendleft(Line(event.at, SPECTATOR, "reshuffle"))
            self.say(RESHUFFLED, now, hold_ns=LONG_NOTICE_NS)
        elif isinstance(event, Flipped):
            tops = " / ".join(_card(card) if card != NO_CARD else "–" for card in event.tops)
            self.log.appendleft(Line(event.at, SPECTATOR, f"flip  {tops}"))
            if self._reshuffled_at != event.at:
                self.say(f"flipped {tops}", now)
        elif isinstance(event, Tucked):
            self.log.appendleft(Line(event.at, SPECTATOR, "tuck"))
            self.say(TUCKED, now, hold_ns=LONG_NOTICE_NS)
        elif isinstance(event, Won):
            players = len(self.room.seats) if self.room is not None else 0
            how = f": {others_left(players)}" if event.forfeit else f" by {count(event.score, 'card')}"
            self.say(f"{self.name(event.seat)} wins{how}", now, "good", 60 * NOTICE_NS)

    def _lost_race(self, event: Beaten, race: Reactions | None, now: int) -> None:
        if event.seat == self.seat:  # the refusal tells it, and of which card
            return
        pile = self._pile(event.pile)
        how = "close" if race is not None and race.close else "late"
        # Short: the log of a wide terminal has room for some 16 characters, a table among several for 37.
        self.log.appendleft(Line(event.at, event.seat, f"{how} {pile} {margin_words(event.late, '<')}", late=True))
        if self.seat == SPECTATOR:
            names = {seat: self.name(seat) for seat in (event.seat, event.by)}
            self.say(contest_words(event, race, names, pile, "<"), now, "late")

    def _house_rule(self, event: Emptied | Frozen | Took | FlipAsked | Left, now: int) -> None:
        seat = event.seat
        kind, hold_ns = "status", LONG_NOTICE_NS
        if isinstance(event, Emptied):
            line, text = "no cards left", f"{self._who(seat, 'has', 'have')} no cards left"
        elif isinstance(event, Frozen):
            seconds = (event.until - event.at) / 1_000_000
            line, kind, hold_ns = f"frozen {seconds:.1f} s", "late", (event.until - event.at) * 1_000
            text = f"false call: {self._who(seat, 'is', 'are')} frozen for {seconds:.1f} s"
        elif isinstance(event, Took):
            cards = sum(card != NO_CARD for card in (*event.hand, *event.draw))
            line = f"takes {self._pile(event.pile)}"
            took = f"{self._who(seat, 'takes', 'take')} the {self._pile(event.pile)} pile"
            why = "false call" if event.by == NOBODY else f"{self._who(event.by, 'calls', 'call')} first"
            text = f"{why}: {took}, {count(cards, 'card')} now"
            kind = "late" if seat == self.seat else "status"
        elif isinstance(event, FlipAsked):
            line, text = "asks to flip", f"{self._who(seat, 'asks', 'ask')} for the flip"
        else:
            line, text = "left", f"{self._who(seat, 'has', 'have')} left: those cards are under the side piles"
        self.log.appendleft(Line(event.at, seat, line))
        self.say(text, now, kind, hold_ns)

    def _played(self, event: Played, now: int) -> None:
        seat = event.seat
        named = f" as {RANK_NAMES[event.named]}" if event.named != NO_RANK else ""
        text = f"{_card(event.card)}{named} → {self._pile(event.pile)}"
        self.log.appendleft(Line(event.at, seat, text))
        if seat in self._last_play:
            self.gaps.setdefault(seat, deque(maxlen=PACE_PLAYS)).append(event.at - self._last_play[seat])
        self._last_play[seat] = event.at
        if seat == self.seat:
            self.flashes[event.pile] = now + FLASH_NS
        elif self.seat == SPECTATOR:
            self.say(f"{self.name(seat)} {text}", now, hold_ns=2 * NOTICE_NS)

    def _refused(self, item: PlayRefused, now: int) -> None:
        refused, card = item.refused, _card(item.card) if item.card != NO_CARD else "the card"
        kind = "late"
        if refused.word == "beaten":
            late = late_words(refused.late_us)
            took = f" — {self.name(refused.by)} played {_card(refused.took)} first" if refused.took >= 0 else ""
            text, kind = f"beaten by {late}{took}", "status"
            if refused.own_us is not None and refused.by_us is not None:
                exact, by = f"{refused.late_us / 1_000_000:.3f} s", self.name(refused.by)
                close = ", close" if refused.close else ""
                text = f"beaten by {exact}: {by} {refused.by_us // 1_000} ms, you {refused.own_us // 1_000} ms{close}"
            if item.card != NO_CARD:
                self.log.appendleft(Line(self._deal_time(), self.seat, f"{card} late {late}", late=True))
        elif refused.word == "late_link":
            text = f"{card} was pressed in time but came too late over the link"
        elif refused.word == "illegal" and item.asked == "call":
            text = "there is nothing to call"
        elif refused.word == "illegal" and item.asked == "draw":
            text = "cards come into your hand by themselves"
        elif refused.word == "illegal":
            where = f"does not fit {self._pile(refused.pile)}" if refused.pile != AUTO_PILE else "fits no pile"
            text = f"{card} {where}"
        elif refused.word == "no_answer":
            text = f"no answer for {card}: it is back in your hand"
        else:
            text = printable(refused.text) or _REFUSED.get(refused.word, f"{card} was refused: {refused.word}")
        self.say(text, now, kind)

    def _deal_time(self) -> int:
        """The deal time of the newest line: what a refusal, which bears none, is written beside."""
        return self.log[0].at if self.log else 0

    def _room(self, item: RoomChanged, now: int) -> None:
        before, room = self.room, item.room
        self.room, self.seat = room, item.seat
        if room.phase == COUNTDOWN or before is None or (before.table, before.deal) != (room.table, room.deal):
            self.players.clear()
        if room.phase != WAITING:
            for seat, info in enumerate(room.seats):
                if info.name:
                    self.players.setdefault(seat, info.name)
        if before is None or before.table != room.table:
            self._new_deal()
            return
        if room.deal < before.deal:
            # Deals are only counted up: this is another server's life, and the log tells of a deal that is no more.
            self._new_deal()
            if before.phase == PLAYING:
                self.say("the server was started anew: that deal is lost", now, "late", LONG_NOTICE_NS)
        if room.phase == COUNTDOWN and before.phase != COUNTDOWN:
            self._new_deal()
            self.until = 0
        for seat, (was, now_is) in enumerate(zip(before.seats, room.seats, strict=False)):
            if seat == item.seat or room.phase == COUNTDOWN:
                continue
            if now_is.name and not was.name:
                self.say(f"{now_is.name} sits down", now, "good")
            elif was.name and not now_is.name and room.phase != PLAYING:
                self.say(f"{was.name} has left", now)
            elif now_is.connected and not was.connected and room.phase == PLAYING:
                self.say(f"{now_is.name} is back", now, "good")

    def _new_deal(self) -> None:
        self.gains = ()
        self.log.clear()
        self.gaps.clear()
        self.flashes.clear()
        self._last_play.clear()
        self._reshuffled_at = None


def count(number: int, thing: str) -> str:
    """`1 card`, `6 cards`."""
    return f"{number} {thing}{'' if number == 1 else 's'}"


def _card(card: int) -> str:
    return card_name(card, signs=True)
