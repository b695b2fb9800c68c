import ipaddress
import socket
from pathlib import Path

import pytest

from speed_server import addresses
from speed_server.addresses import CannotListenError, Place, find_place, host_and_port, reachable

EVERYWHERE = Place("", socket.AF_INET6)


def test_no_host_means_every_interface() -> None:
    assert find_place(None).everywhere


def test_a_host_is_turned_into_a_number() -> None:
    assert find_place("127.0.0.1") == Place("127.0.0.1", socket.AF_INET)


@pytest.mark.parametrize("host", ["300.1.2.3.4", "a b", "x" * 300, "\ud800"])
def test_a_host_that_is_none_names_the_remedy(host: str) -> None:
    with pytest.raises(CannotListenError, match=r"is no address of this machine.*--host"):
        find_place(host)


def test_a_server_on_one_address_is_reachable_there_only() -> None:
    assert reachable(Place("127.0.0.1", socket.AF_INET)) == ["127.0.0.1"]


def test_what_is_reachable_is_never_empty_and_never_useless() -> None:
    found = reachable(EVERYWHERE)
    assert found
    assert len(set(found)) == len(found)
    if found != ["127.0.0.1"]:
        assert not any(ipaddress.ip_address(text).is_loopback for text in found)
        assert not any(ipaddress.ip_address(text).is_link_local for text in found)


def test_ipv4_comes_first_for_it_is_shorter_to_type(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "_towards_the_world", lambda _: ["2001:db8::5", "192.0.2.5"])
    monkeypatch.setattr(addresses, "_of_interfaces", lambda: ["10.0.0.5", "192.0.2.5", "fe80::1", "127.0.0.1"])
    assert reachable(EVERYWHERE) == ["192.0.2.5", "10.0.0.5", "2001:db8::5"]


def test_an_ipv4_only_server_offers_no_ipv6(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "_of_interfaces", lambda: ["2001:db8::5", "10.0.0.5"])
    assert "2001:db8::5" not in reachable(Place("0.0.0.0", socket.AF_INET))


def test_a_machine_without_a_network_offers_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    for source in ("_of_interfaces", "_of_own_name"):
        monkeypatch.setattr(addresses, source, list)
    monkeypatch.setattr(addresses, "_towards_the_world", lambda _: [])
    assert reachable(EVERYWHERE) == ["127.0.0.1"]


def test_the_own_name_is_looked_up_only_when_nothing_else_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "_of_interfaces", list)
    monkeypatch.setattr(addresses, "_towards_the_world", lambda _: [])
    monkeypatch.setattr(addresses, "_of_own_name", lambda: ["192.0.2.9"])
    assert reachable(EVERYWHERE) == ["192.0.2.9"]


def test_settled_global_ipv6_addresses_are_read_from_the_kernel_s_list(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    rows = tmp_path / "if_inet6"
    rows.write_text(
        "00000000000000000000000000000001 01 80 10 80       lo\n"
        "20010db8000000000000000000000005 02 40 00 80     eth0\n"
        "20010db8000000000000000000000006 02 40 00 01     eth0\n"
        "20010db8000000000000000000000007 02 40 00 40     eth0\n"
        "fe8000000000000000fc00fffe000001 02 40 20 80     eth0\n"
        "broken\n",
        "ascii",
    )
    monkeypatch.setattr(addresses, "_IF_INET6", rows)
    assert addresses._ipv6_of_interfaces() == ["2001:db8::5"]
    monkeypatch.setattr(addresses, "_IF_INET6", tmp_path / "none")
    assert addresses._ipv6_of_interfaces() == []


@pytest.mark.parametrize(
    ("address", "port", "typed"),
    [
        ("192.0.2.5", 7770, "192.0.2.5"),
        ("192.0.2.5", 7780, "192.0.2.5:7780"),
        ("2001:db8::5", 7770, "2001:db8::5"),
        ("2001:db8::5", 7780, "[2001:db8::5]:7780"),
    ],
)
def test_the_port_is_typed_only_when_it_is_unusual(address: str, port: int, typed: str) -> None:
    assert host_and_port(address, port) == typed
