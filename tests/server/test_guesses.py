from __future__ import annotations

from speed_server.guesses import Guesses
from speed_server.limits import KNOWN_BEFORE, Limits
from speed_server.settings import SECOND

MINUTE = 60 * SECOND


def test_five_wrong_ones_of_an_address_are_enough_for_a_minute() -> None:
    guesses = Guesses(Limits())
    for second in range(5):
        assert not guesses.too_many("192.0.2.7", second * SECOND)
        guesses.wrong("192.0.2.7", second * SECOND)
    assert guesses.too_many("192.0.2.7", MINUTE - 1)
    assert not guesses.too_many("192.0.2.8", MINUTE - 1)
    assert not guesses.too_many("192.0.2.7", MINUTE)


def test_an_address_that_guesses_is_shut_out_even_if_it_once_knew() -> None:
    guesses = Guesses(Limits())
    guesses.right("192.0.2.7")
    for _ in range(5):
        guesses.wrong("192.0.2.7", 0)
    assert guesses.too_many("192.0.2.7", 1)


def test_thirty_of_all_shut_strangers_out_and_no_player() -> None:
    guesses = Guesses(Limits())
    guesses.right("192.0.2.200")
    for number in range(30):
        assert not guesses.too_many(f"192.0.2.{number}", 0)
        guesses.wrong(f"192.0.2.{number}", 0)
    assert guesses.too_many("192.0.2.99", 1)
    assert not guesses.too_many("192.0.2.200", 1)
    assert not guesses.too_many("192.0.2.99", MINUTE)


def test_all_addresses_of_one_ipv6_network_are_one() -> None:
    guesses = Guesses(Limits())
    for number in range(5):
        guesses.wrong(f"2001:db8::{number}", 0)
    assert guesses.too_many("2001:db8::ffff", 1)
    assert not guesses.too_many("2001:db8:1::1", 1)
    assert not guesses.too_many("fe80::1", 1)


def test_what_is_no_address_is_counted_as_it_is() -> None:
    guesses = Guesses(Limits())
    for _ in range(5):
        guesses.wrong("somewhere", 0)
    assert guesses.too_many("somewhere", 1)


def test_who_knew_longest_ago_is_forgotten_first() -> None:
    guesses = Guesses(Limits(guesses_in_all=0))
    for number in range(KNOWN_BEFORE + 1):
        guesses.right(f"10.0.{number // 256}.{number % 256}")
    assert guesses.too_many("10.0.0.0", 0)
    assert not guesses.too_many("10.0.0.1", 0)
