"""How a closed server is opened: a passcode or an invitation becomes the key pair that it admits. Part of the rim.

The pair is kept, not the word, once the server has admitted it: under the server's id, so that no other ever gets it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from speed_client.door import DoorError, Pass, Server
from speed_client.printable import printable
from speed_common.passcode import PasscodeError, is_invited_to, parse_invite, passcode_secret

if TYPE_CHECKING:
    from speed_client.profile import Profile

TOO_MANY: Final = 500
"""What the server says instead of yes or no to who has guessed too often."""


class ClosedError(DoorError):
    """The server wants a passcode, or another one than was given."""


def with_pass(server: Server, profile: Profile, *, passcode: str = "", invite: str = "", watching: bool) -> Server:
    """The server with the pass that opens it, if it takes one: of what was typed, else of what is kept from before.

    To be asked before the server is remembered: `DoorError` also when the invitation is to another one. It is raised
    too when the server is closed and there is neither. A clean `passcode` takes some 50 ms.
    """
    line = server.line
    if invite:
        passcode, check = parse_invite(invite)
        if not is_invited_to(check, line.key):
            raise DoorError(
                f"the server at {server.address} is not the one that this invitation is to: "
                "ask who sent it for the address and a new one"
            )
    if not (line.watch_locked if watching else line.locked):
        return server
    if passcode:
        from zmq.utils import z85  # noqa: PLC0415  # most servers are open

        secret = z85.encode(passcode_secret(passcode, line.id))
        pass_ = pass_of(secret)
        return replace(
            server,
            pass_=replace(pass_, admitted=lambda: profile.keep_pass(line.id, secret.decode(), watching=watching)),
        )
    kept = profile.kept_pass(line.id, watching=watching)
    if not kept:
        raise ClosedError(f"{_named(server)} is closed: {_REMEDY}")
    return replace(server, pass_=replace(pass_of(kept.encode()), kept=True))


def with_word(server: Server, profile: Profile, word: str, *, watching: bool) -> Server:
    """As `with_pass`, of a clean word that is this server's invitation or else a passcode, as its player typed it."""
    try:
        _, check = parse_invite(word)
    except PasscodeError:
        invited = False
    else:
        invited = is_invited_to(check, server.line.key)
    if invited:
        return with_pass(server, profile, invite=word, watching=watching)
    return with_pass(server, profile, passcode=word, watching=watching)


def where_it_is_typed(said: str) -> str:
    """The sentence of a closed server where the passcode can be typed at once: without the options that give it."""
    return said.removesuffix(f": {_REMEDY}")


def pass_of(secret: bytes) -> Pass:
    """The pass of a secret key (Z85). Raises `DoorError` when it is none."""
    import zmq  # noqa: PLC0415  # most servers are open

    try:
        return Pass(zmq.curve_public(secret), secret)
    except (ValueError, zmq.ZMQError):
        raise DoorError("the key that is kept for this server is damaged: give its passcode again") from None


def not_admitted(server: Server, code: int) -> str:
    """Why the server did not take our key, by the code of its answer, and what to do."""
    if code == TOO_MANY:
        return f"too many wrong passcodes were tried at {_named(server)}: wait a minute, then try again"
    if server.pass_ is None:
        return f"{_named(server)} is closed now: {_REMEDY}"
    if server.pass_.kept:
        return f"{_named(server)} has another passcode than at the last visit: {_REMEDY}"
    return f"{_named(server)} did not take this passcode: {_REMEDY}"


_REMEDY: Final = "ask its host, then give --passcode WORD or --invite CODE"


def _named(server: Server) -> str:
    return f"{printable(server.line.name, 40)!r} at {server.address}"
