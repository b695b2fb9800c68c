"""Words for the tests of the rules: a table laid by hand, and a seat that plays on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from speed_common.cards import NO_CARD, NO_RANK, RANK_NAMES, Card, Rank, parse_card
from speed_common.decide import decide
from speed_common.deck import Layout
from speed_common.events import AUTO_PILE, AskFlip, Call, Draw, Due, Event, Leave, Play, Refusal, Request, Reveal
from speed_common.presets import make_rules
from speed_common.rules import Rules
from speed_common.table import STUCK, Table, evolve, new_table

SECOND = 1_000_000
P0, P1, P2, P3 = range(4)
A, B, C, D = range(4)


def cards(text: str) -> list[Card]:
    """The cards that the words of `text` name, `--` for an empty slot."""
    return [NO_CARD if word == "--" else parse_card(word) for word in text.split()]


def us(seconds: float) -> int:
    """Microseconds of deal time."""
    return round(seconds * SECOND)


def refused(answer: tuple[Event, ...] | Refusal) -> str:
    assert isinstance(answer, Refusal)
    return answer.word


def ok(answer: tuple[Event, ...] | Refusal) -> bool:
    return not isinstance(answer, Refusal)


def kinds(answer: tuple[Event, ...] | Refusal) -> list[type]:
    assert not isinstance(answer, Refusal)
    return [type(event) for event in answer]


class KeepOrder:
    """A stream that shuffles nothing."""

    def shuffled(self, order: Sequence[Card], position: int) -> tuple[list[Card], int]:
        return list(order), position


class Deal:
    """A dealt table under test: lists bottom to top, hands by slot; every event is kept in `log`."""

    def __init__(
        self,
        hands: tuple[str, ...],
        centre: tuple[str, ...],
        *,
        draws: tuple[str, ...] = ("", "", "", ""),
        sides: tuple[str, ...] = ("3C", "3S", "3D", "3H"),
        rules: Rules | None = None,
        watch: Callable[[Table, Event], None] | None = None,
    ) -> None:
        self.rules = rules or make_rules()
        assert (self.rules.players, self.rules.piles) == (len(hands), len(centre))
        self.watch = watch
        padded = [(cards(hand) + [NO_CARD] * 10)[: max(self.rules.hand_size, len(hand.split()))] for hand in hands]
        layout = Layout(
            padded,
            [cards(pile) for pile in draws[: len(hands)]],
            [cards(pile)[-1] for pile in centre],
            [cards(pile) for pile in sides[: len(centre)]],
            [],
            0,
        )
        self.table = new_table(self.rules, layout, KeepOrder())
        self.table.under = [cards(pile)[:-1] for pile in centre]
        self.log: list[Event] = []

    def ask(self, request: Request) -> tuple[Event, ...] | Refusal:
        """Decide and apply; the events, or why not."""
        answer = decide(self.table, request)
        if isinstance(answer, Refusal):
            return answer
        for event in answer:
            evolve(self.table, event)
            self.log.append(event)
            if self.watch:
                self.watch(self.table, event)
        return answer

    def reveal(self) -> tuple[Event, ...]:
        return self.events(self.ask(Reveal()))

    def play(
        self, seat: int, card: str, pile: int = AUTO_PILE, at: float = 1.0, named: Rank | str = NO_RANK
    ) -> tuple[Event, ...] | Refusal:
        rank = RANK_NAMES.index(named) if isinstance(named, str) else named
        return self.ask(Play(seat, parse_card(card), pile, us(at), rank))

    def draw(self, seat: int, at: float) -> tuple[Event, ...] | Refusal:
        return self.ask(Draw(seat, us(at)))

    def due(self, at: float) -> tuple[Event, ...] | Refusal:
        return self.ask(Due(us(at)))

    def call(self, seat: int, at: float) -> tuple[Event, ...] | Refusal:
        return self.ask(Call(seat, us(at)))

    def ask_flip(self, seat: int, at: float) -> tuple[Event, ...] | Refusal:
        return self.ask(AskFlip(seat, us(at)))

    def leave(self, seat: int, at: float) -> tuple[Event, ...] | Refusal:
        return self.ask(Leave(seat, us(at)))

    @staticmethod
    def events(answer: tuple[Event, ...] | Refusal) -> tuple[Event, ...]:
        assert not isinstance(answer, Refusal), answer
        return answer

    def hand(self, seat: int) -> list[Card]:
        return self.table.hands[seat]


DEADLOCK: dict[str, tuple[str, str]] = {
    "hands": ("6C 8C 7C 7D 8D", "8H 5C 5D 6D 7H"),
    "draws": ("9C JC KC 6H KD 10C 5H JD 6S 4C 5S 3C 3D 8S 9D", "JH QC QD QH 4D 4H 2C 9H KH 2D 7S 4S AC 9S"),
    "centre": ("10D", "2H 3H"),
    "sides": ("3S 2S 10H QS 10S", "JS AH AS KS AD"),
}


def deadlock(*, tuck: bool) -> Deal:
    """A full deck's deal, one play made, that is dead for ever unless hands are tucked."""
    rules = make_rules(tuck=tuck)
    deal = Deal(DEADLOCK["hands"], DEADLOCK["centre"], draws=DEADLOCK["draws"], sides=DEADLOCK["sides"], rules=rules)
    deal.reveal()
    deal.table.played_since_filling = True
    return deal


def hopeless(rules: Rules) -> Deal:
    """An artificial deck that no play can come of: sevens and kings on the table, only threes in the hands."""
    return Deal(("3C", "3D"), ("7C", "KC"), draws=("3H", "3S"), sides=("7D", "KD"), rules=rules)


def run_out(deal: Deal, limit: int = 200) -> list[tuple[int, Event]]:
    """Let the stuck table go on until somebody can play or the deal is over."""
    for _ in range(limit):
        if deal.table.phase != STUCK:
            break
        assert deal.table.due is not None
        deal.ask(Due(deal.table.due))
    return [(event.at // us(1), event) for event in deal.log]
