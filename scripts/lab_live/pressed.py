"""What the lab's processes tell each other: the task of a player's process, and each press with its hidden truth."""

from __future__ import annotations

from time import perf_counter_ns

import msgspec

true_ns = perf_counter_ns
"""The machine's monotonic clock, which all processes on it share and the server goes by: the truth."""


class Task(msgspec.Struct, frozen=True):
    """What a machine plays: a seat at the tables of these game codes, and how wrong its clock is."""

    host: str
    port: int
    machine: int
    codes: tuple[str, ...]
    seed: int
    offset_ns: int
    ppm: float


class Pressed(msgspec.Struct, frozen=True):
    """One play: on which machine (0: the cable's), which it was, the revision of its pile's top; true times.

    `late_ns` is how much later than in time (or, less than 0, earlier) the newer of that top and the card was shown
    here. `believed_ns` is by how much the client's idea of the server's clock was wrong.
    """

    machine: int
    table: int
    deal: int
    seat: int
    card: int
    pile: int
    revision: int
    pressed_ns: int
    shown_ns: int
    late_ns: int
    believed_ns: int

    @property
    def fair_ns(self) -> int:
        """The instant that counts: the press, as if the top had been shown in time."""
        return self.pressed_ns - self.late_ns
