from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from speed_server.agenda import Agenda


def test_a_room_set_anew_is_due_only_at_its_newest_time() -> None:
    agenda = Agenda()
    agenda.set(1, 50)
    agenda.set(1, 90)
    assert agenda.next_due() == 90
    assert list(agenda.pop_due(60)) == []
    assert list(agenda.pop_due(90)) == [1]
    assert agenda.next_due() is None


def test_a_room_without_anything_due_leaves_the_agenda() -> None:
    agenda = Agenda()
    agenda.set(1, 50)
    agenda.set(1, None)
    assert agenda.next_due() is None


@given(st.lists(st.tuples(st.integers(1, 5), st.none() | st.integers(0, 100))), st.integers(0, 100))
def test_it_agrees_with_a_plain_dictionary(settings: list[tuple[int, int | None]], now: int) -> None:
    agenda, plain = Agenda(), dict[int, int]()
    for number, due in settings:
        agenda.set(number, due)
        if due is None:
            plain.pop(number, None)
        else:
            plain[number] = due
    assert agenda.next_due() == (min(plain.values()) if plain else None)
    popped = list(agenda.pop_due(now))
    assert sorted(popped) == sorted(number for number, due in plain.items() if due <= now)
    assert [plain[number] for number in popped] == sorted(plain[number] for number in popped)
