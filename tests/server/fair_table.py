"""A table for tests of the fair order: hands and tops as sets of names, players with clocks far from the server's."""

from __future__ import annotations

from collections.abc import Iterable

from speed_common.fair_settings import FairSettings
from speed_server.fair.order import FairOrder
from speed_server.fair.player import FairPlayer
from speed_server.fair.showing import Showing
from speed_server.fair.waiting import NO_PILE, FairPlay, Ruling
from speed_server.settings import MS, SECOND

ANNA, BOB, CARL = 0, 1, 2
START = 100 * SECOND
CABLE, WIFI = MS // 5, 10 * MS


class FakeBoard:
    """Which cards of which seat fit which pile: `fits[pile][seat]`; a pile taken fits nothing any more."""

    def __init__(self, seats: int) -> None:
        self.fits: list[list[set[int]]] = [[set() for _ in range(seats)] for _ in range(2)]
        self.last_cards: set[tuple[int, int]] = set()

    def landing(self, seat: int, card: int, pile: int) -> int:
        piles = range(len(self.fits)) if pile == NO_PILE else (pile,)
        return next((number for number in piles if card in self.fits[number][seat]), NO_PILE)

    def fitting(self, seat: int, pile: int) -> Iterable[int]:
        return self.fits[pile][seat]

    def ends(self, seat: int, card: int) -> bool:
        return (seat, card) in self.last_cards


class FairTable:
    """Anna, Bob, perhaps Carl at a table of two piles; all happens at `now`, which only `wait` and `until` move."""

    def __init__(
        self, settings: FairSettings | None = None, *, ups: tuple[int, ...] = (CABLE, CABLE), gap_ns: int = 0
    ) -> None:
        self.settings = settings or FairSettings()
        self.now = START
        self.offsets = [-777 * SECOND, 1_000 * SECOND, 5 * SECOND][: len(ups)]
        self.ups = list(ups)
        self.players = [FairPlayer(self.settings) for _ in ups]
        self.board = FakeBoard(len(ups))
        self.order = FairOrder(self.settings, self.players, self.board, 2, gap_ns)
        self.revision = 0
        self.showings: list[Showing] = []
        self.judged: list[tuple[int, int, bool]] = []
        self.rulings: list[Ruling] = []
        self._seq = 0
        for _ in range(12):
            self.wait(20 * MS)
            for seat in range(len(ups)):
                self.beat(seat)

    def wait(self, duration: int) -> None:
        self.now += duration

    def until(self, when: int) -> None:
        assert when >= self.now
        self.now = when

    def reading(self, seat: int, at: int) -> int:
        return at + self.offsets[seat]

    def beat(self, seat: int, up: int | None = None, sent: int | None = None) -> bool:
        """A heartbeat arrives now; it echoes something that took as long to get there."""
        took = self.ups[seat] if up is None else up
        sent = self.now - took if sent is None else sent
        return self.players[seat].heard(self.reading(seat, sent), self.now, sent - took, self.reading(seat, sent))

    def jitter(self, seat: int, most: int) -> None:
        """Let the link be one that is sometimes this slow, as the server has seen."""
        for _ in range(8):
            self.wait(200 * MS)
            self.beat(seat)
            self.wait(2 * most)
            self.beat(seat, most)
            self.wait(200 * MS)
            for other in range(len(self.players)):
                self.beat(other)

    def lay(self, piles: Iterable[int] = (0, 1)) -> Showing:
        """New tops, that were committed long ago: shown on schedule by both."""
        self.revision += 1
        showing = self.order.turned(self.revision, self.now, tuple(piles))
        self.until(showing.at_ns)
        for seat in range(len(self.players)):
            self.order.shown(seat, self.revision, self.reading(seat, showing.at_ns))
        return showing

    def play(
        self,
        seat: int,
        pressed: int,
        card: int = 7,
        pile: int = 0,
        *,
        sent: int | None = None,
        after: int = 0,
        revision: int | None = None,
    ) -> int:
        """A play arrives now; its number is given back."""
        self._seq += 1
        c_send = self.reading(seat, pressed if sent is None else sent)
        self.players[seat].heard(c_send, self.now, beat=False)
        shown = self.revision if revision is None else revision
        c_press = self.reading(seat, pressed)
        self.taken = self.order.submit(
            FairPlay(seat, self._seq, card, pile, -1, max(pile, 0), shown, c_press, c_send, after), self.now
        )
        return self._seq

    def tick(self) -> list[tuple[int, int]]:
        """Judge what may be judged; (seat, pile) of what was accepted, -1 for what was refused."""
        found = []
        while (ruling := self.order.pop(self.now)) is not None:
            self.rulings.append(ruling)
            seat, _, card, pile, *_ = ruling.play
            lands = self.board.landing(seat, card, pile)
            if ruling.word == "judge" and (lands != NO_PILE or card < 0):
                self.revision += 1
                if lands != NO_PILE:
                    self.board.fits[lands] = [set() for _ in self.players]
                self.showings.append(self.order.played(ruling, self.now, self.revision, lands))
            else:
                lands = NO_PILE
                if ruling.word == "judge":
                    self.order.refused(ruling)
            found.append((seat, lands))
        return found

    def run(self, most: int = SECOND) -> list[tuple[int, int]]:
        """Let time pass, with a tick at each due time and nothing else, until something was judged."""
        end = self.now + most
        for _ in range(1_000):
            found = self.tick()
            due = self.order.next_due()
            if found or due is None or due > end:
                return found
            assert due > self.now, "what is due was not done"
            self.until(due)
        raise AssertionError("no end to it")
