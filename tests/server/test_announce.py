from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from speed_common import __version__
from speed_server.addresses import Place
from speed_server.announce import (
    SERVICE,
    Herald,
    Responder,
    Sign,
    Silence,
    is_worth_announcing,
    open_responder,
    sign_of,
)

EVERYWHERE = Place("", socket.AF_INET6)
LOOPBACK = Place("127.0.0.1", socket.AF_INET)
ID = "0123456789abcdef"
SIGN = Sign(ID, "anna's laptop", 7770, ("192.0.2.7", "fd00::7"))
PATIENCE_S = 10


class FakeZeroconf:
    """A network that hears everything and writes it down."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, dict[str, str]]] = []
        self.infos: list[Any] = []
        self.said = threading.Condition()

    def register_service(self, info: Any) -> None:
        self._hear("register", info)

    def update_service(self, info: Any) -> None:
        self._hear("update", info)

    def close(self) -> None:
        with self.said:
            self.heard.append(("close", {}))
            self.said.notify_all()

    def until(self, done: Callable[[], bool]) -> None:
        with self.said:
            assert self.said.wait_for(done, PATIENCE_S)

    def _hear(self, word: str, info: Any) -> None:
        with self.said:
            self.infos.append(info)
            self.heard.append((word, {key.decode(): value.decode() for key, value in info.properties.items()}))
            self.said.notify_all()


def test_a_server_is_announced_by_its_id_with_what_a_list_shows() -> None:
    network, warnings = FakeZeroconf(), list[str]()
    with Herald(SIGN, EVERYWHERE, warnings.append, lambda _: network):
        network.until(lambda: bool(network.heard))
        info = network.infos[0]
        assert info.name == f"{ID}.{SERVICE}"
        assert (info.port, info.parsed_addresses()) == (7770, ["192.0.2.7", "fd00::7"])
        assert network.heard[0][1] == {
            "id": ID,
            "name": "anna's laptop",
            "version": __version__,
            "port": "7770",
            "players": "0",
            "tables": "0",
            "locked": "0",
        }
    assert network.heard[-1][0] == "close"
    assert warnings == []


def test_only_counts_that_changed_are_told_again() -> None:
    network = FakeZeroconf()
    with Herald(SIGN, EVERYWHERE, pytest.fail, lambda _: network) as herald:
        herald.tell(0, 0)
        network.until(lambda: bool(network.heard))
        herald.tell(3, 2)
        network.until(lambda: len(network.heard) > 1)
        herald.tell(3, 2)
    words = [word for word, _ in network.heard]
    assert words == ["register", "update", "close"]
    assert (network.heard[1][1]["players"], network.heard[1][1]["tables"]) == ("3", "2")


def test_a_network_without_multicast_is_one_line_and_no_more() -> None:
    def no_network(_: Place) -> Responder:
        raise OSError(19, "No such device")

    warnings: list[str] = []
    with Herald(SIGN, EVERYWHERE, warnings.append, no_network) as herald:
        herald._thread.join(PATIENCE_S)
        herald.tell(1, 1)
    assert len(warnings) == 1
    assert "No such device" in warnings[0]
    assert "\n" not in warnings[0]


def test_a_responder_that_fails_later_is_one_line_too_and_is_closed() -> None:
    class Failing(FakeZeroconf):
        def register_service(self, info: Any) -> None:
            super().register_service(info)
            raise RuntimeError

    network, warnings = Failing(), list[str]()
    with Herald(SIGN, EVERYWHERE, warnings.append, lambda _: network) as herald:
        herald._thread.join(PATIENCE_S)
    assert warnings == ["not announced in the network (RuntimeError): players type the address above"]
    assert [word for word, _ in network.heard] == ["register", "close"]


def test_a_name_of_many_bytes_is_cut_at_a_character() -> None:
    name = Sign(ID, "♥" * 100, 7770, ()).properties()["name"]
    assert name == "♥" * 66


def test_a_server_for_this_machine_alone_is_nobodys_business() -> None:
    assert not is_worth_announcing(LOOPBACK)
    assert not is_worth_announcing(Place("::1", socket.AF_INET6))
    assert is_worth_announcing(EVERYWHERE)
    assert is_worth_announcing(Place("192.0.2.7", socket.AF_INET))
    assert is_worth_announcing(Place("fe80::1%eth0", socket.AF_INET6))


def test_a_sign_names_the_addresses_that_players_can_type() -> None:
    assert sign_of(ID, "anna's", 7770, Place("192.0.2.7", socket.AF_INET)).addresses == ("192.0.2.7",)
    assert sign_of(ID, "anna's", 7770, Place("fe80::1%eth0", socket.AF_INET6)).addresses == ()


def test_silence_says_nothing() -> None:
    with Silence() as silence:
        silence.tell(1, 1)


def test_on_a_real_network_the_server_is_found_with_its_counts_and_is_gone_afterwards() -> None:
    """The loopback interface stands for the network; where it takes no multicast, that is said and skipped."""
    zeroconf = pytest.importorskip("zeroconf")
    warnings: list[str] = []
    with Herald(SIGN, LOOPBACK, warnings.append) as herald:
        herald.tell(3, 2)
        try:
            listener = open_responder(LOOPBACK)
        except OSError as error:
            pytest.skip(f"no multicast here: {error}")
        assert isinstance(listener, zeroconf.Zeroconf)
        try:
            deadline = time.monotonic() + PATIENCE_S
            info = None
            while info is None or info.properties[b"players"] != b"3":
                assert warnings == []
                if info is None and time.monotonic() > deadline:
                    pytest.skip("what is multicast on loopback does not come back here")
                info = listener.get_service_info(SERVICE, SIGN.instance, 500)
            assert info.properties[b"name"] == b"anna's laptop"
            assert info.port == 7770
        finally:
            listener.close()
