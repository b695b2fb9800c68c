from speed_server.gauge import MOST_STEPS, STEP_NS, Gauge, share_of

MS = 1_000_000


def turn(gauge: Gauge, *, known: int | None, woke: int, due: int | None, now: int) -> None:
    gauge.sleeps(known)
    gauge.wakes(woke)
    gauge.ticks(due, now)
    gauge.rests(now)


def test_a_timer_is_as_late_as_the_loop_comes_to_it() -> None:
    gauge = Gauge()
    turn(gauge, known=10 * MS, woke=12 * MS, due=10 * MS, now=13 * MS)
    late = gauge.take()
    assert (late["ticks"], late["worst_ms"], late["p99_ms"]) == (1, 3.0, 3.0)
    assert late["longest_turn_ms"] == 1.0


def test_what_nobody_knew_of_before_is_late_from_this_turn_on() -> None:
    gauge = Gauge()
    turn(gauge, known=None, woke=5_000 * MS, due=0, now=5_001 * MS)
    turn(gauge, known=6_000 * MS, woke=5_100 * MS, due=20 * MS, now=5_100 * MS)
    assert gauge.take()["worst_ms"] == 1.0


def test_a_timer_that_was_passed_over_in_a_long_turn_counts_whole() -> None:
    gauge = Gauge()
    turn(gauge, known=10 * MS, woke=50 * MS, due=10 * MS, now=50 * MS)
    assert gauge.take()["worst_ms"] == 40.0


def test_a_turn_without_anything_due_is_no_tick() -> None:
    gauge = Gauge()
    turn(gauge, known=10 * MS, woke=5 * MS, due=10 * MS, now=5 * MS)
    turn(gauge, known=None, woke=5 * MS, due=None, now=5 * MS)
    assert gauge.take()["ticks"] == 0


def test_each_stretch_is_told_once_and_beyond_a_second_by_its_worst() -> None:
    gauge = Gauge()
    turn(gauge, known=1, woke=1, due=1, now=1 + 3_000 * MS)
    late = gauge.take()
    assert late["worst_ms"] == 3_000.0
    assert late["steps"] == {str(MOST_STEPS): 1}
    assert gauge.take()["steps"] == {}


def test_ninety_nine_in_a_hundred_is_told_by_the_upper_end_of_a_step() -> None:
    gauge = Gauge()
    for late_ns in [*[1] * 99, 7 * MS]:
        turn(gauge, known=0, woke=0, due=0, now=late_ns)
    gauge_steps = gauge._steps.copy()
    assert share_of(gauge_steps, 0.99) == STEP_NS / MS
    assert share_of(gauge_steps, 1.0) == 7.0
