"""Everything that people may do at a table, in any order: what must hold whatever they do."""

from __future__ import annotations

from collections import Counter

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from tests.server.evening import Evening, Player

from speed_common import wire
from speed_common.codes import format_code
from speed_common.events import Played
from speed_common.presets import make_rules
from speed_common.rules import Rules
from speed_common.state import PLAYING
from speed_common.views import hide_events
from speed_server.settings import MS, SECOND, HubSettings

NAMES = ("anna", "bob", "carl", "dora")
WHO = st.integers(0, len(NAMES) - 1)
RULES = (
    make_rules(),
    make_rules(call_speed=True, match_target=10),
    make_rules(flip_trigger="all_ready", hand_size=2, best_of=3),
    make_rules(players=3, call_speed=True, false_call="cards"),
    make_rules(players=3, refill="manual", flip_trigger="all_ready"),
    make_rules("four"),
    make_rules("four", idle_autoplay_us=10_000_000, call_speed=True),
)


class TableLife(RuleBasedStateMachine):
    """As many people as the rules have seats, and the server; they sit, play, leave, lose their links and return."""

    def __init__(self) -> None:
        super().__init__()
        self.evening = Evening()
        self.house_rules = Rules()
        self.players: list[Player] = []
        self.asked: list[dict[int, int]] = [{} for _ in NAMES]
        self.lives = 0

    @initialize(
        seed=st.integers(0, 1_000),
        grace=st.sampled_from([5, 90]),
        rules=st.sampled_from(RULES),
        begin=st.sampled_from(["apart", "with computers", "by code", "in a deal", "in a deal", "in a deal"]),
    )
    def come(self, seed: int, grace: int, rules: Rules, begin: str) -> None:
        self.house_rules = rules
        self.evening = Evening(HubSettings(grace_ns=grace * SECOND, rules=rules), seed=seed)
        self.players = [self.evening.guest(name) for name in NAMES[: rules.players]]
        for player in self.players:
            player.sync()
        if begin == "with computers":
            self.players[0].sit(computers=(9,))
        elif begin == "by code":
            for player in self.players:
                player.sit(code=format_code(0, rules, seed))
        elif begin == "in a deal":
            self.all_are_ready()
            self.evening.pass_time(4 * SECOND)

    def present(self, who: int) -> Player | None:
        """The player of this number, if there is one and it is connected."""
        player = self.players[who] if who < len(self.players) else None
        return player if player is not None and player.present else None

    @rule(who=WHO, by_code=st.booleans())
    def sit(self, who: int, by_code: bool) -> None:  # noqa: FBT001  # Hypothesis passes it by name
        player = self.present(who)
        if player is not None:
            player.send(wire.Sit(player.ticket, code=format_code(0, self.house_rules, 7) if by_code else ""))

    @rule()
    def all_are_ready(self) -> None:
        for player in self.players:
            if player.present:
                player.send(wire.Sit(player.ticket))
                player.send(wire.Ready(player.ticket))

    @rule(who=WHO)
    def ready(self, who: int) -> None:
        player = self.present(who)
        if player is not None:
            player.ready()

    @rule(who=WHO, ago=st.integers(-SECOND, 200 * SECOND))
    def play(self, who: int, ago: int) -> None:
        player = self.present(who)
        table = player.table if player is not None else None
        if player is None or table is None or table.phase != PLAYING or player.seat < 0:
            return
        cards = [card for card in table.hands[player.seat] if card >= 0]
        if cards:
            card = next((card for card in cards if table.fits_on(card)), cards[0])
            self.asked[who][player.play(card, pressed_ago_ns=ago)] = card

    @rule(who=WHO, ago=st.integers(0, 100))
    def play_twice(self, who: int, ago: int) -> None:
        self.play(who, ago)
        self.play(who, ago)

    @rule(most=st.integers(1, 300))
    def all_play(self, most: int) -> None:
        """Who is there plays on for a while, so that deals get stuck, somebody has to call, and deals end."""
        for _ in range(most):
            there = [player for player in self.players if player.present]
            played = [player.play_best() for player in there]
            if not any(played):
                return
            self.evening.pass_time(150 * MS)

    @rule(who=WHO, ago=st.integers(0, 300 * MS))
    def call(self, who: int, ago: int) -> None:
        player = self.present(who)
        if player is not None:
            player.call(ago)

    @rule(who=WHO)
    def ask_for_the_flip(self, who: int) -> None:
        player = self.present(who)
        if player is not None:
            player.ask_flip()

    @rule(who=WHO)
    def leave(self, who: int) -> None:
        player = self.present(who)
        if player is not None:
            player.send(wire.Leave(player.ticket))

    @rule(who=WHO)
    def lose_the_link(self, who: int) -> None:
        player = self.present(who)
        if player is not None:
            self.evening.cut(player)
            self.asked[who].clear()

    @rule(who=WHO)
    def return_by_ticket(self, who: int) -> None:
        if who >= len(self.players) or self.players[who].present:
            return
        gone = self.players[who]
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
                assert not (message.room.paused_until_ns and message.room.resume_at_ns)
        assert self.evening.hub.next_due() is not None

    def teardown(self) -> None:
        """Let every wait run out: each press was answered, and nothing is left of who left for good."""
        if not self.players:
            return
        self.evening.pass_time(SECOND)
        for player, asked in zip(self.players, self.asked, strict=False):
            nothing_hidden_was_sent_to(player)
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


def nothing_hidden_was_sent_to(player: Player) -> None:
    seat: int | None = None
    for message in player.heard:
        if isinstance(message, wire.Lobby):  # which only who has no seat is sent
            seat = None
        elif isinstance(message, wire.Snapshot):
            seat = message.seat
            hands = message.view.hands if message.view is not None else ()
            assert all(card < 0 for other, hand in enumerate(hands) for card in hand if other != seat)
        elif isinstance(message, wire.Delta) and seat is not None:
            assert hide_events(message.events, seat) == message.events


TestTableLife = TableLife.TestCase
TestTableLife.settings = settings(
    max_examples=250, stateful_step_count=20, deadline=None, database=None, suppress_health_check=list(HealthCheck)
)
