"""Everything that people may do at a table, in any order: what must hold whatever they do."""

from __future__ import annotations

from collections import Counter

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from tests.server.evening import Evening, Player

from speed_common import wire
from speed_common.events import Played
from speed_common.table import PLAYING
from speed_server.settings import MS, SECOND, HubSettings

WHO = st.sampled_from([0, 1])


class TableLife(RuleBasedStateMachine):
    """Two people and the server; they sit, play, leave, lose their links and return."""

    def __init__(self) -> None:
        super().__init__()
        self.evening = Evening()
        self.players: list[Player] = []
        self.asked: list[dict[int, int]] = [{}, {}]
        self.lives = 0

    @initialize(
        seed=st.integers(0, 1_000),
        grace=st.sampled_from([5, 90]),
        begin=st.sampled_from(["apart", "with a computer", "in a deal", "in a deal"]),
    )
    def come(self, seed: int, grace: int, begin: str) -> None:
        self.evening = Evening(HubSettings(grace_ns=grace * SECOND), seed=seed)
        self.players = [self.evening.guest("anna"), self.evening.guest("bob")]
        for player in self.players:
            player.sync()
        if begin == "with a computer":
            anna = self.players[0]
            anna.send(wire.Sit(anna.ticket, wire.ANY_TABLE, 9))
        elif begin == "in a deal":
            self.both_are_ready()
            self.evening.pass_time(4 * SECOND)

    @rule(who=WHO)
    def sit(self, who: int) -> None:
        player = self.players[who]
        if player.present:
            player.send(wire.Sit(player.ticket))

    @rule()
    def both_are_ready(self) -> None:
        for player in self.players:
            if player.present:
                player.send(wire.Sit(player.ticket))
                player.send(wire.Ready(player.ticket))

    @rule(who=WHO)
    def ready(self, who: int) -> None:
        player = self.players[who]
        if player.present:
            player.send(wire.Ready(player.ticket))

    @rule(who=WHO, ago=st.integers(-SECOND, 200 * SECOND))
    def play(self, who: int, ago: int) -> None:
        player = self.players[who]
        table = player.table
        if not player.present or table is None or table.phase != PLAYING or not 0 <= player.seat < 2:
            return
        cards = [card for card in table.hands[player.seat] if card >= 0]
        if cards:
            card = next((card for card in cards if table.fits_on(card)), cards[0])
            self.asked[who][player.play(card, pressed_ago_ns=ago)] = card

    @rule(who=WHO, ago=st.integers(0, 100))
    def play_twice(self, who: int, ago: int) -> None:
        self.play(who, ago)
        self.play(who, ago)

    @rule(who=WHO)
    def leave(self, who: int) -> None:
        player = self.players[who]
        if player.present:
            player.send(wire.Leave(player.ticket))

    @rule(who=WHO)
    def lose_the_link(self, who: int) -> None:
        if self.players[who].present:
            self.evening.cut(self.players[who])
            self.asked[who].clear()

    @rule(who=WHO)
    def return_by_ticket(self, who: int) -> None:
        gone = self.players[who]
        if gone.present:
            return
        self.lives += 1
        again = self.evening.player(b"%d again %d" % (who, self.lives))
        again.seq = gone.seq
        again.hello("anna", gone.ticket)
        again.sync()
        self.players[who] = again

    @rule(duration=st.sampled_from([MS, 10 * MS, 300 * MS, SECOND, 4 * SECOND, 20 * SECOND, 100 * SECOND]))
    def wait(self, duration: int) -> None:
        self.evening.pass_time(duration)

    @precondition(lambda self: self.players)
    @invariant()
    def everything_is_in_order(self) -> None:
        for player in self.players:
            if player.present and player.room is not None and player.room.phase == wire.COUNTDOWN:
                until = player.room.reveal_at_ns - self.evening.now
                if not player.room.paused_until_ns:
                    assert until <= self.evening.settings.countdown_ns
            times = [event.at for event in player.events if isinstance(event, Played)]
            assert all(at >= 0 for at in times)
            for message in player.all(wire.Snapshot):
                waits = [not seat.connected for seat in message.room.seats]
                assert any(waits) == (message.room.paused_until_ns > 0)
        assert self.evening.hub.next_due() is not None

    def teardown(self) -> None:
        """Let every wait run out: each press was answered, and nothing is left of who left for good."""
        if not self.players:
            return
        self.evening.pass_time(SECOND)
        for player, asked in zip(self.players, self.asked, strict=True):
            if not player.present:
                continue
            answered = {message.seq for message in player.all(wire.Refused)}
            unanswered = Counter(card for seq, card in asked.items() if seq not in answered)
            unanswered.subtract(event.card for event in player.events if isinstance(event, Played))
            assert max(unanswered.values(), default=0) <= 0, f"never answered: {unanswered}"
            player.present = False
        settings = self.evening.settings
        self.evening.pass_time(settings.idle_silence_ns + settings.keep_ns + 3 * settings.grace_ns)
        assert self.evening.hub.summary().tables == 0
        self.evening.pass_time(settings.forget_ns + SECOND)
        assert self.evening.hub.next_due() is None


TestTableLife = TableLife.TestCase
TestTableLife.settings = settings(
    max_examples=250, stateful_step_count=20, deadline=None, database=None, suppress_health_check=list(HealthCheck)
)
