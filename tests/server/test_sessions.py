from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from speed_common.fair_settings import FairSettings
from speed_common.names import clean_name
from speed_server.sessions import NO_ORIGIN, Sessions


def sessions() -> Sessions:
    return Sessions("server", random.Random(1).randbytes, FairSettings())


def test_a_ticket_opens_its_session_and_no_other() -> None:
    known = sessions()
    anna, ticket = known.open("anna", b"a", 0)
    bob, other = known.open("bob", b"b", 0)
    assert known.by_ticket(ticket) is anna
    assert known.by_ticket(other) is bob
    assert known.by_ticket(bytes(16)) is None


def test_the_ticket_itself_is_kept_nowhere() -> None:
    known = sessions()
    anna, ticket = known.open("anna", b"a", 0)
    assert anna.key != ticket
    assert ticket not in repr([getattr(anna, name) for name in anna.__slots__]).encode()


def test_a_ticket_of_another_server_opens_nothing() -> None:
    _, ticket = sessions().open("anna", b"a", 0)
    other = Sessions("other server", random.Random(1).randbytes, FairSettings())
    other.open("anna", b"a", 0)
    assert other.by_ticket(ticket) is not None  # the same bits, drawn there too
    assert other.by_ticket(ticket).key != sessions().open("anna", b"a", 0)[0].key  # type: ignore[union-attr]


@given(st.lists(st.sampled_from(["anna", "Anna", "x" * 16, "漢字漢字漢字漢字", "é" * 16]), min_size=2, max_size=30))
def test_a_name_in_use_gets_a_number_and_every_name_is_clean_and_its_own(wanted: list[str]) -> None:
    known = sessions()
    names = [known.open(name, b"%d" % n, 0)[0].name for n, name in enumerate(wanted)]
    assert len({name.casefold() for name in names}) == len(names)
    assert all(clean_name(name) == name for name in names)


def test_a_name_that_cannot_be_shown_is_refused() -> None:
    with pytest.raises(ValueError, match="name"):
        sessions().open("\x07", b"a", 0)


def test_attaching_tells_which_connection_was_left() -> None:
    known = sessions()
    anna, _ = known.open("anna", b"a", 0)
    assert known.attach(anna, b"new") == b"a"
    assert known.by_origin(b"a") is None
    assert known.by_origin(b"new") is anna
    assert known.attach(anna, b"new") == NO_ORIGIN


def test_a_closed_session_is_forgotten() -> None:
    known = sessions()
    anna, ticket = known.open("anna", b"a", 0)
    known.close(anna)
    assert known.by_ticket(ticket) is None
    assert known.by_origin(b"a") is None
    assert len(known) == 0
