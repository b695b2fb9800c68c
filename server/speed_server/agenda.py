"""What is due when, for many rooms: a heap in which a room's older entries are simply overruled by its newest."""

from __future__ import annotations

import heapq


class Agenda:
    """The next due time (nanoseconds) of each room, by number."""

    __slots__ = ("_due", "_heap")

    def __init__(self) -> None:
        self._due: dict[int, int] = {}
        self._heap: list[tuple[int, int]] = []

    def set(self, number: int, due: int | None) -> None:
        """The room's next due time is now this one; None: nothing."""
        if due is None:
            self._due.pop(number, None)
        elif self._due.get(number) != due:
            self._due[number] = due
            heapq.heappush(self._heap, (due, number))

    def next_due(self) -> int | None:
        """The earliest due time of all."""
        heap, due = self._heap, self._due
        while heap and due.get(heap[0][1]) != heap[0][0]:
            heapq.heappop(heap)
        return heap[0][0] if heap else None

    def pop_due(self, now: int) -> list[int]:
        """The rooms whose time has come by `now`; each is off the agenda until it is set again."""
        numbers: list[int] = []
        while self._heap and self._heap[0][0] <= now:
            due, number = heapq.heappop(self._heap)
            if self._due.get(number) == due:
                del self._due[number]
                numbers.append(number)
        return numbers
