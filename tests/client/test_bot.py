from __future__ import annotations

import random
from itertools import pairwise

import pytest
from tests.client.lan import Guest, Lan, events

from speed_client.bot import main
from speed_client.robot import Bot
from speed_client.wishes import Want
from speed_common.computer import period_us
from speed_common.events import Emptied, FlipAsked, Frozen, Lifted, Played, Won
from speed_common.presets import make_rules
from speed_server.settings import MS, SECOND, HubSettings


class Robot:
    """A bot joined to a guest of the LAN: fed what the guest hears, woken when it is due."""

    def __init__(self, lan: Lan, name: str, speed: int, deals: int = 1) -> None:
        self.guest: Guest = lan.guest(name, want=Want())
        self.bot = Bot(self.guest.session, speed, random.Random(name).random, deals)
        self.lines: list[str] = []
        self._read = 0

    def turn(self) -> None:
        fresh = self.guest.news[self._read :]
        self._read = len(self.guest.news)
        self.guest.session.news[:0] = fresh
        self.lines += [line for _, line in self.bot.changed(self.guest.clock)]
        due = self.bot.next_due(self.guest.clock)
        if due is not None and due <= self.guest.clock:
            self.bot.due(self.guest.clock)
        self.guest.lan.settle()
        self._read = len(self.guest.news)


def play(lan: Lan, *robots: Robot, seconds: int = 200) -> None:
    for _ in range(seconds * 200):
        if all(robot.guest.session.ended for robot in robots):
            return
        for robot in robots:
            robot.turn()
        lan.run(5 * MS)
    raise AssertionError("the bots never came to an end")


def test_two_bots_play_their_deals_and_leave() -> None:
    lan = Lan()
    robots = Robot(lan, "ada", 10, deals=2), Robot(lan, "bit", 9, deals=2)
    play(lan, *robots)
    for robot in robots:
        assert robot.bot.deals_played == 2
        assert len(robot.lines) == 2
        assert robot.lines[0].startswith("table 1, deal 1: ")
        assert " wins, by " in robot.lines[0]
        assert robot.guest.session.ended is not None
        assert robot.guest.session.ended.word == "left"


def test_a_bot_keeps_the_computers_pace_and_keeps_its_lift_to_itself() -> None:
    lan = Lan()
    slow, quick = Robot(lan, "slow", 1), Robot(lan, "quick", 10)
    for _ in range(200 * 40):
        slow.turn()
        quick.turn()
        lan.run(5 * MS)
        if slow.guest.session.ended:
            break
    played = [event for event in events(slow.guest, Played) if isinstance(event, Played)]
    for robot, speed in ((slow, 1), (quick, 10)):
        times = [event.at for event in played if event.seat == robot.guest.session.mirror.seat]
        assert len(times) >= 5
        steps = [later - earlier for earlier, later in pairwise(times)]
        assert min(steps) >= 0.8 * period_us(speed) - 20_000
    assert not events(slow.guest, Lifted)


def test_a_bot_plays_on_after_its_link_was_gone() -> None:
    lan = Lan()
    robots = Robot(lan, "ada", 10), Robot(lan, "bit", 10)
    for _ in range(600):
        for robot in robots:
            robot.turn()
        lan.run(5 * MS)
    robots[0].guest.cut()
    robots[0].turn()
    assert robots[0].bot.deals_played == 0
    lan.run(2 * SECOND)
    robots[0].guest.connect()
    play(lan, *robots)
    assert robots[0].bot.deals_played == 1


@pytest.mark.parametrize(
    ("argv", "what"),
    [
        (["h", "--speed", "0"], "is no speed: use 1 (slow) to 10 (fast)"),
        (["h", "--speed", "x"], "is no speed"),
        (["h", "--count", "0"], "is not a number from 1 to"),
        (["h", "--deals", "-1"], "is not a number from 1 to"),
        (["h", "--name", "a/b"], "use letters, digits"),
        (["h:0"], "is no port"),
        ([], "required"),
    ],
)
def test_a_wrong_command_line_is_one_line_and_code_2(
    argv: list[str], what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(argv) == 2
    error = capsys.readouterr().err
    assert what in error
    assert error.count("\n") == 1


def test_bots_fill_a_table_of_four_and_play_it_out() -> None:
    lan = Lan(settings=HubSettings(rules=make_rules("four"), countdown_ns=SECOND))
    robots = [Robot(lan, name, 10) for name in ("ada", "bit", "cyd", "dot")]
    play(lan, *robots)
    for robot in robots:
        assert robot.bot.deals_played == 1
        assert robot.lines[0].startswith("table 1, deal 1: ")


def test_bots_call_and_ask_for_flips_where_the_rules_have_it() -> None:
    rules = make_rules(hand_size=3, wrap=False, call_speed=True, flip_trigger="all_ready")
    lan = Lan(settings=HubSettings(rules=rules, countdown_ns=SECOND))
    robots = [Robot(lan, name, 10) for name in ("ada", "bit")]
    play(lan, *robots, seconds=400)
    asked = events(robots[0].guest, FlipAsked)
    assert len(asked) >= 2
    (emptied, *_), (won,) = events(robots[0].guest, Emptied), events(robots[0].guest, Won)
    assert won.at - emptied.at < rules.call_window_us
    assert not events(robots[0].guest, Frozen)
