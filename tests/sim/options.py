"""What one seed's evening is like: drawn first, from the seed alone, and printed when something goes wrong."""

from __future__ import annotations

from dataclasses import dataclass, fields
from random import Random
from typing import Any, Final

from speed_common.fair_settings import FairSettings, Mode
from speed_common.presets import make_rules
from speed_common.rules import Rules
from speed_server.settings import MS, SECOND, HubSettings

HOUSE_RULES: Final[dict[str, Rules]] = {
    "us": make_rules(),
    "short": make_rules(draw_size=5, flip_delay_us=200_000),
    "short, hands of three": make_rules(hand_size=3, draw_size=5, flip_delay_us=0, min_play_gap_us=0),
    "short, calling, freeze": make_rules(draw_size=3, side_size=17, call_speed=True, call_window_us=500_000),
    "short, calling, cards": make_rules(draw_size=3, side_size=17, call_speed=True, false_call="cards"),
    "calling, few below": make_rules(hand_size=2, draw_size=2, side_size=21, call_speed=True, call_window_us=500_000),
    "all ready": make_rules(hand_size=2, flip_trigger="all_ready", draw_size=6, side_size=17),
    "manual": make_rules(refill="manual", draw_size=5, flip_delay_us=300_000),
    "manual, all ready": make_rules(refill="manual", flip_trigger="all_ready", hand_size=3, draw_size=7, side_size=15),
    "no way on": make_rules(hand_size=1, draw_size=22, side_size=2, tuck=False, wrap=False, flip_delay_us=0),
    "barren": make_rules(hand_size=1, draw_size=22, side_size=2, wrap=False, flip_delay_us=0),
    "uneven piles": make_rules(
        hand_size=2, draw_size=11, piles=3, side_size=7, out=2, reshuffle="per_pile", flip_delay_us=0, wrap=False
    ),
    "jokers": make_rules("wild", jokers=4, draw_size=7, side_size=15, same_rank=True),
    "jokers that are named": make_rules(jokers=2, joker_mode="declared", draw_size=4, side_size=17, wrap=False),
    "three": make_rules(players=3, decks=1, hand_size=4, draw_size=4, side_size=6, flip_delay_us=200_000),
    "three, calling": make_rules(
        players=3, hand_size=2, draw_size=2, call_speed=True, false_call="cards", flip_delay_us=100_000
    ),
    "four, all ready": make_rules("four", hand_size=3, draw_size=4, side_size=18, flip_trigger="all_ready"),
    "points": make_rules(draw_size=2, side_size=18, match_target=10, flip_delay_us=200_000),
    "best of three": make_rules(hand_size=2, draw_size=2, side_size=21, best_of=3, flip_delay_us=0),
    "idle": make_rules(draw_size=5, idle_autoplay_us=10 * SECOND // 1_000),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Options:
    """One evening. Durations are nanoseconds; rates are events a minute for each person, chances are of 1."""

    rules: str
    people: int
    computers: int
    by_code: bool
    bot_table: bool
    spectators: int
    order: Mode
    faults_ns: int
    pace_ns: int
    sense: float
    delay_ns: int
    jitter_ns: int
    spike: float
    drift_ppm: int
    grace_ns: int
    countdown_ns: int
    stalls: float
    cuts: float
    half_deaths: float
    naps: float
    crashes: float
    second_windows: float
    leaving: float
    clock_steps: float
    hiccups: float
    cheats: tuple[str, ...]
    rubbish: float
    twice: float
    lost_deltas: float
    gone_for_good: float
    quick_beat_ns: int

    def __str__(self) -> str:
        return ", ".join(f"{field.name}={getattr(self, field.name)!r}" for field in fields(self))

    @property
    def house_rules(self) -> Rules:
        return HOUSE_RULES[self.rules]

    def settings(self) -> HubSettings:
        """The server of this evening; waits are short, so that an evening is."""
        return HubSettings(
            rules=self.house_rules,
            fair=FairSettings(
                mode=self.order, quick_beat_ns=self.quick_beat_ns, middle_beat_ns=max(self.quick_beat_ns, 100 * MS)
            ),
            countdown_ns=self.countdown_ns,
            grace_ns=self.grace_ns,
            resume_ns=400 * MS,
            keep_ns=5 * SECOND,
            forget_ns=15 * SECOND,
            bot_tables=int(self.bot_table),
            bot_level=10,
            max_tables=8,
            max_players=24,
        )


def oldest_press_ns(settings: HubSettings) -> int:
    """How old a press may at most count as at its arrival: what a very slow link is granted."""
    return settings.fair.bucket_max_ns + SLOWEST_LINK_NS


SLOWEST_LINK_NS: Final = 400 * MS

CHEATS: Final = (
    "early stamp", "late stamp", "wrong pile", "foreign card", "two plays", "flood", "other's name", "guessed ticket",
    "old messages",
)  # fmt: skip


def draw_options(random: Random) -> Options:
    """What the seed of `random` gives. The order of the draws is what makes a seed's evening: new ones go last."""

    def often(chance: float, *values: Any) -> Any:
        return random.choice(values) if random.random() < chance else 0

    rules = random.choice(list(HOUSE_RULES))
    players = HOUSE_RULES[rules].players
    computers = random.choice([0, 0, 0, 1]) if players == 2 else random.choice([0, 0, 1])
    return Options(
        rules=rules,
        people=max(1, players - computers) + often(0.2, 1),
        computers=computers,
        by_code=random.random() < 0.15,
        bot_table=random.random() < 0.03,
        spectators=often(0.4, 1, 1, 2),
        order=random.choice(["full", "full", "order", "off"]),
        faults_ns=random.choice([3, 4, 5, 7]) * SECOND,
        pace_ns=random.choice([60, 120, 120, 250]) * MS,
        sense=random.choice([1.0, 0.9, 0.7]),
        delay_ns=random.choice([MS // 10, MS, 5 * MS, 40 * MS]),
        jitter_ns=random.choice([0, MS // 2, 3 * MS, 30 * MS]),
        spike=often(0.3, 0.02, 0.1),
        drift_ppm=random.choice([0, 20, 50]),
        grace_ns=random.choice([1, 2, 4]) * SECOND,
        countdown_ns=random.choice([300, 300, 1_000]) * MS,
        stalls=often(0.4, 10.0, 30.0),
        cuts=often(0.5, 8.0, 20.0),
        half_deaths=often(0.2, 8.0),
        naps=often(0.3, 8.0),
        crashes=often(0.4, 8.0, 20.0),
        second_windows=often(0.3, 8.0),
        leaving=often(0.3, 8.0),
        clock_steps=often(0.2, 12.0),
        hiccups=often(0.3, 5.0, 30.0),
        cheats=tuple(random.sample(CHEATS, random.randint(1, 3))) if random.random() < 0.4 else (),
        rubbish=often(0.3, 10.0, 60.0),
        twice=often(0.3, 0.03, 0.2),
        lost_deltas=often(0.25, 0.01, 0.05),
        gone_for_good=often(0.2, 0.5),
        quick_beat_ns=random.choice([10] + 15 * [250]) * MS,
    )
