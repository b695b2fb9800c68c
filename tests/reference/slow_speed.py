"""A second reading of the rules of Speed, written from the rules alone: slow, plain, and sharing no code with the game.

It exists to disagree. Whatever the game decides, this decides again by walking over lists, and the agreement test
compares the two after every step. Nothing here is fast and nothing here may be made fast; where a rule can be written
as the sentence that it is in the rules, it is.

Times are whole microseconds of deal time and are effective press times. Every operation answers either the list of
what happened, as plain tuples that begin with a word, or a `Refused`; a refusal changes nothing.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from tests.reference.slow_deck import ACE, KING, Card, Parameters, SplitMix64, fresh_deck, hand_out
from tests.reference.slow_state import (
    CALLING,
    DEALT,
    OVER,
    PLAYING,
    STUCK,
    WAITING,
    Change,
    Happened,
    SlowState,
    Top,
)

ALL_RANKS = list(range(ACE, KING + 1))
NOBODY_ASKED = 10_000_000
FREEZE = 2_000_000


class Refused(NamedTuple):
    """Why not; only a lost race has the other three: how late (us), whose play was first, on which pile.

    It is `beaten`, or `late_link` if it was pressed first but came after the other had counted.
    """

    word: str
    late: int = 0
    by: int | None = None
    pile: int | None = None


Outcome = list[Happened] | Refused


class SlowTable(SlowState):
    """A deal that can be played."""

    @classmethod
    def of_number(cls, how: Parameters, number: int) -> SlowTable:
        stream = SplitMix64(number)
        return cls(how, hand_out(how, stream.shuffled(fresh_deck(how.decks, how.jokers))), stream)

    # What players do.

    def reveal(self) -> Outcome:
        """The centre cards turn, at deal time 0."""
        if self.phase != DEALT:
            return Refused("not_due")
        self.phase = PLAYING
        self._say("revealed", 0)
        self._look_again(0)
        return self._told()

    def play(self, player: int, card: Card, pile: int | None, named: int | None, at: int) -> Outcome:
        """Play a hand card on the pile, or on the best if none is said; `named` counts for a declared joker only."""
        refused = self._may_not_act(player, at, hands=True)
        if refused:
            return refused
        if card not in self.hands[player]:
            return Refused("not_in_hand")
        if pile is not None and not 0 <= pile < self.how.piles:
            return Refused("illegal")
        said = named if self.is_declared(card) else None
        where = [pile] if pile is not None else list(range(self.how.piles))
        chosen = self._choose(player, card, where, said)
        if chosen is None:
            return self._late(player, card, where, said, at)
        self._put(player, card, *chosen, at)
        if self.left(player):
            self._look_again(at)
        elif self.how.call_speed:
            self.phase, self.caller, self.due = CALLING, player, at + self.how.call_window
            self._say("calling", at, player)
        else:
            self._win(player, at, "out")
        return self._told()

    def draw(self, player: int, at: int) -> Outcome:
        """Take one card by hand."""
        refused = self._may_not_act(player, at, hands=True)
        if refused:
            return refused
        if self.how.refill != "manual":
            return Refused("illegal")
        if None not in self.hands[player]:
            return Refused("hand_full")
        if not self.can_draw(player):
            return Refused("nothing_to_draw")
        self._take(player, self.hands[player].index(None), at)
        self._look_again(at)
        return self._told()

    def due_now(self, at: int) -> Outcome:
        """Whatever was waited for is now there."""
        if self.due is None or at < self.due:
            return Refused("not_due")
        if self.phase == CALLING:
            assert self.caller is not None
            self._win(self.caller, self.due, "out")
        elif self.phase == WAITING:
            for player in self.remaining():
                self._fill(player, at)
            self._look_again(at)
        else:
            self._go_on(at)
        return self._told()

    def ask_flip(self, player: int, at: int) -> Outcome:
        """Say that one sees nothing to play."""
        if player in self.gone:
            return Refused("deal_over")
        if self.phase != STUCK or self.how.flip_trigger != "all_ready":
            return Refused("not_due")
        if player in self.asked:
            return []
        self.asked.add(player)
        self._say("asked", at, player)
        self._go_on_if_all_asked(at)
        return self._told()

    def call(self, player: int, at: int) -> Outcome:
        """Call "Speed!"."""
        refused = self._may_not_act(player, at, hands=False)
        if refused:
            return refused
        if not self.how.call_speed:
            return Refused("illegal")
        if self.phase != CALLING:
            return self._call_falsely(player, at)
        assert self.caller is not None
        if player == self.caller or self._smallest_pile() is None:
            self._win(self.caller, at, "out")
        else:
            self._catch(self.caller, player, at)
        return self._told()

    def leave(self, player: int, at: int) -> Outcome:
        """Leave the table for good."""
        if self.phase == OVER or player in self.gone:
            return Refused("deal_over")
        others = [other for other in self.remaining() if other != player]
        if len(others) == 1:
            self._win(others[0], at, "forfeit")
            return self._told()
        self.gone.add(player)
        self.asked.discard(player)
        row = self.shuffler.shuffled([*self.held(player), *self.draws[player]])
        self.hands[player] = [None] * len(self.hands[player])
        self.draws[player] = []
        for pile in range(self.how.piles):
            self.sides[pile] = row[pile :: self.how.piles] + self.sides[pile]
        self.barren_passes = 0
        self._say("left", at, player)
        if self.phase == CALLING and self.caller == player:
            self.phase, self.caller, self.due = PLAYING, None, None
        self._look_again(at)
        self._go_on_if_all_asked(at)
        return self._told()

    # Judging.

    def _may_not_act(self, player: int, at: int, *, hands: bool) -> Refused | None:
        if self.phase == DEALT:
            return Refused("not_started")
        if self.phase == OVER or player in self.gone:
            return Refused("deal_over")
        if self.phase == CALLING and hands:
            return Refused("calling")
        if at < self.frozen_until[player]:
            return Refused("frozen")
        return None

    def _choose(self, player: int, card: Card, where: list[int], said: int | None) -> tuple[int, int | None] | None:
        """The pile, and the rank that a declared joker then stands for; `None` if the card fits nowhere there."""
        others = [other for other in self.held(player) if other != card]
        if self.is_declared(card) and said is None:
            found = []
            for pile in where:
                ranks = [rank for rank in ALL_RANKS if self.fits(card, self.tops()[pile], rank)]
                rank = max(ranks, key=lambda rank: (self._follow_ups(others, card, pile, rank)[0], rank))
                found.append((self._follow_ups(others, card, pile, rank)[0], -pile, rank))
            _, minus_pile, rank = max(found)
            return -minus_pile, rank
        fitting = [pile for pile in where if self.fits(card, self.tops()[pile], said)]
        if not fitting:
            return None
        return max(fitting, key=lambda pile: (*self._follow_ups(others, card, pile, said), -pile)), said

    def _follow_ups(self, others: list[Card], card: Card, pile: int, named: int | None) -> tuple[int, int]:
        """How many of the other cards would fit somewhere if the card lay there, and in how many places in all."""
        tops = self.tops()
        tops[pile] = Top(card, named)
        places = [sum(self.fits(other, top) for top in tops) for other in others]
        return sum(1 for count in places if count), sum(places)

    def _late(self, player: int, card: Card, where: list[int], said: int | None, at: int) -> Refused:
        beaten = []
        for pile in where:
            took_away = [
                change
                for change in self.changes[pile]
                if self.fits(card, change.before, said) and not self.fits(card, change.after, said)
            ]
            if not took_away:
                continue
            change = took_away[-1]
            if change.by is not None and change.by != player and at - change.at <= self.how.beaten_window:
                beaten.append((at - change.at, pile, change.by))
        if not beaten:
            return Refused("illegal")
        late, pile, by = min(beaten)
        return Refused("beaten" if late >= 0 else "late_link", late, by, pile)

    # Changing.

    def _say(self, *what: Any) -> None:
        self.happened.append(what)

    def _told(self) -> list[Happened]:
        told, self.happened = self.happened, []
        return told

    def _cover(self, pile: int, card: Card, named: int | None, at: int, by: int | None) -> None:
        before = self.tops()[pile]
        self.centre[pile].append(card)
        self.named[pile] = named
        self.changes[pile].append(Change(at, by, before, Top(card, named)))

    def _put(self, player: int, card: Card, pile: int, named: int | None, at: int) -> None:
        slot = self.hands[player].index(card)
        self.hands[player][slot] = None
        self._cover(pile, card, named, at, player)
        self.played_since_filling = True
        self.barren_passes = 0
        drawn = None
        if self.how.refill == "auto" and self.draws[player]:
            drawn = self.hands[player][slot] = self.draws[player].pop()
        self._say("played", at, player, slot, card, pile, named, drawn)

    def _take(self, player: int, slot: int, at: int) -> None:
        card = self.hands[player][slot] = self.draws[player].pop()
        self._say("drew", at, player, slot, card)

    def _fill(self, player: int, at: int) -> None:
        for slot, card in enumerate(self.hands[player]):
            if card is None and self.draws[player]:
                self._take(player, slot, at)

    def _look_again(self, at: int) -> None:
        """After every change: can anybody still do anything?"""
        if self.phase in {DEALT, CALLING, OVER}:
            return
        if any(self.can_play(player) for player in self.remaining()):
            phase, due = PLAYING, None
        elif any(self.can_draw(player) for player in self.remaining()):
            phase, due = WAITING, at + self.how.flip_delay
        else:
            by_asking = self.how.flip_trigger == "all_ready"
            phase, due = STUCK, at + (NOBODY_ASKED if by_asking else self.how.flip_delay)
        if phase == self.phase:
            return
        self.phase, self.due = phase, due
        self.asked.clear()
        self._say({PLAYING: "freed", WAITING: "waiting", STUCK: "stuck"}[phase], at, due)

    def _go_on_if_all_asked(self, at: int) -> None:
        if self.phase == STUCK and self.asked.issuperset(self.remaining()):
            self._go_on(at)

    def _go_on(self, at: int) -> None:
        """What ends a stuck: a tuck, or a flip with a reshuffle before it if all side piles are empty."""
        self.phase, self.due = PLAYING, None
        self.asked.clear()
        if not any(self.sides):
            nothing_to_reshuffle = all(len(pile) == 1 for pile in self.centre)
            if not self.played_since_filling and not self.tucked_since_filling:
                self.barren_passes += 1
                if self._could_tuck():
                    self._tuck(at)
                    return
            if self._too_barren() or (nothing_to_reshuffle and not self._could_tuck()):
                self._void(at)
                return
            if nothing_to_reshuffle:
                self.barren_passes += 1
                self._tuck(at)
                return
            self._reshuffle(at)
        flipped = [pile for pile in range(self.how.piles) if self.sides[pile]]
        for pile in flipped:
            self._cover(pile, self.sides[pile].pop(), None, at, None)
        self._say(
            "flipped", at, [self.tops()[pile].card if pile in flipped else None for pile in range(self.how.piles)]
        )
        self._look_again(at)

    def _too_barren(self) -> bool:
        """More than K + 1 passes without a play, K being how many hands full of cards there are to be seen in turn."""
        largest = max(self.left(player) for player in self.remaining())
        hands_full = -(-largest // self.how.hand_size) if self.how.tuck else 1
        return self.barren_passes > hands_full + 1

    def _could_tuck(self) -> bool:
        return self.how.tuck and any(self.draws[player] for player in self.remaining())

    def _tuck(self, at: int) -> None:
        self.tucked_since_filling = True
        for player in self.remaining():
            if not self.draws[player]:
                continue
            pile = [*reversed(self.held(player)), *self.draws[player]]
            hand: list[Card | None] = [None] * len(self.hands[player])
            for slot in range(min(self.how.hand_size, len(pile))):
                hand[slot] = pile.pop()
            self.hands[player], self.draws[player] = hand, pile
        self._say("tucked", at)
        self._look_again(at)

    def _reshuffle(self, at: int) -> None:
        below = [pile[:-1] for pile in self.centre]
        self.centre = [pile[-1:] for pile in self.centre]
        if self.how.reshuffle == "per_pile":
            self.sides = [self.shuffler.shuffled(cards) for cards in below]
        else:
            pool = self.shuffler.shuffled([card for cards in below for card in cards])
            self.sides = [pool[pile :: self.how.piles] for pile in range(self.how.piles)]
        self.played_since_filling = False
        self.tucked_since_filling = False
        self._say("reshuffled", at, [len(side) for side in self.sides])

    def _smallest_pile(self) -> int | None:
        """Which centre pile somebody has to take: of those with cards below the top that with the fewest cards."""
        takable = [pile for pile in range(self.how.piles) if len(self.centre[pile]) > 1]
        return min(takable, key=lambda pile: (len(self.centre[pile]), pile)) if takable else None

    def _below_the_top(self, pile: int) -> list[Card]:
        taken = self.centre[pile][:-1]
        self.centre[pile] = self.centre[pile][-1:]
        return self.shuffler.shuffled(taken)

    def _catch(self, owner: int, by: int, at: int) -> None:
        pile = self._smallest_pile()
        assert pile is not None
        self.draws[owner] = self._below_the_top(pile)
        self.caught_at = at
        self.phase, self.caller, self.due = PLAYING, None, None
        self._refill_taken(owner, pile, by, at)

    def _refill_taken(self, player: int, pile: int, by: int | None, at: int) -> None:
        if self.how.refill == "auto":
            for slot, card in enumerate(self.hands[player]):
                if card is None and self.draws[player]:
                    self.hands[player][slot] = self.draws[player].pop()
        self.barren_passes = 0
        self._say("took", at, player, pile, by)
        self._look_again(at)

    def _call_falsely(self, player: int, at: int) -> Outcome:
        if self.caught_at is not None and at - self.caught_at <= self.how.beaten_window:
            return Refused("illegal")  # it lost the race for the call, and is no false one
        pile = self._smallest_pile()
        if self.how.false_call == "freeze":
            self.frozen_until[player] = at + FREEZE
            self._say("frozen", at, player)
        elif self.how.false_call == "cards" and pile is not None:
            self.draws[player] = self._below_the_top(pile) + self.draws[player]
            self._refill_taken(player, pile, None, at)
        else:
            return Refused("illegal")
        return self._told()

    def _win(self, player: int, at: int, how: str) -> None:
        self.winner = player
        self.score = sum(self.left(other) for other in range(self.how.players) if other != player)
        self._end("won", at, player, self.score, how)

    def _void(self, at: int) -> None:
        self._end("voided", at)

    def _end(self, *what: Any) -> None:
        self.phase, self.due, self.caller = OVER, None, None
        self.asked.clear()
        self._say(*what)


def kinds(outcome: Outcome) -> list[str]:
    """The words of what happened."""
    assert not isinstance(outcome, Refused), outcome
    return [str(what[0]) for what in outcome]
