"""Hundreds of players behind one ZeroMQ socket."""

from __future__ import annotations

import select
import struct
from collections.abc import Callable
from typing import Final

import zmq

HIGH_WATER: Final = 100_000

_POLLIN: Final = int(zmq.POLLIN)


class Crowd:
    """One ROUTER that holds a connection for every player: one socket to wait for instead of hundreds.

    To the server each connection is a player's own: with its own routing id there, its own handshake and its own turn.
    """

    def __init__(self, players: int, port: int, key: bytes) -> None:
        self._context = zmq.Context()
        router = self._socket = self._context.socket(zmq.ROUTER)
        router.setsockopt(zmq.LINGER, 0)
        router.setsockopt(zmq.ROUTER_MANDATORY, 1)
        router.setsockopt(zmq.SNDHWM, HIGH_WATER)
        router.setsockopt(zmq.RCVHWM, HIGH_WATER)
        if key:
            public, secret = zmq.curve_keypair()
            router.setsockopt(zmq.CURVE_SERVERKEY, key)
            router.setsockopt(zmq.CURVE_PUBLICKEY, public)
            router.setsockopt(zmq.CURVE_SECRETKEY, secret)
        self._fd = int(router.getsockopt(zmq.FD))
        self._addresses = [struct.pack(">BH", 1, player) for player in range(players)]
        self._player = {address: player for player, address in enumerate(self._addresses)}
        for address in self._addresses:
            router.setsockopt(zmq.CONNECT_ROUTING_ID, address)
            router.connect(f"tcp://127.0.0.1:{port}")

    def send(self, player: int, data: bytes) -> None:
        """Send a message of a player."""
        self._socket.send(self._addresses[player], zmq.SNDMORE | zmq.NOBLOCK)
        self._socket.send(data, zmq.NOBLOCK)

    def wait(self, seconds: float) -> bool:
        """Wait until something came. The descriptor tells of new work only once, so the socket is asked first."""
        if self._readable():
            return True
        select.select((self._fd,), (), (), seconds)
        return self._readable()

    def receive(self, heard: Callable[[int, bytes], None]) -> None:
        """Give every message that came to `heard(player, data)`."""
        receive, player = self._socket.recv, self._player
        try:
            while True:
                address = receive(zmq.NOBLOCK)
                data = receive(zmq.NOBLOCK)
                heard(player[address], data)
        except zmq.Again:
            return

    def close(self) -> None:
        """Close every connection."""
        self._context.destroy(linger=0)

    def _readable(self) -> bool:
        return bool(int(self._socket.getsockopt(zmq.EVENTS)) & _POLLIN)
