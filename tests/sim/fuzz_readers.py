"""Broken files, names and lines from strangers: each reader says so by its own error, and by no other."""

from __future__ import annotations

import gc
import json
import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Final

from tests.sim.cheats import rubbish
from tests.sim.fuzz import MOST_GROWTH, MOST_WRONG, WARM, Fuzzed

from speed_client.config_text import ConfigError, read_config
from speed_client.door import Address, DoorError, parse_line
from speed_common.codes import CodeError, format_code, parse_code
from speed_common.decide import decide
from speed_common.deck import CodeStream, lay_out
from speed_common.events import Refusal, Reveal
from speed_common.fair_settings import FairSettings
from speed_common.names import clean_name
from speed_common.passcode import PasscodeError, clean_passcode
from speed_common.presets import make_rules
from speed_common.record import Entry, Heading, Player, cards_of, lines
from speed_common.record_read import RecordError
from speed_common.table import new_table
from speed_common.verify import verify

_CONFIG: Final = b'name = "anna"\ntheme = "dark"\n[keys]\nflip = "f"\n[bell]\nvolume = 3\nother = [1, 2.5, true]\n'
_DOOR: Final = json.dumps(
    {
        "speed": "speed-lan",
        "name": "here",
        "id": "0123456789abcdef",
        "protocol": [1, 1],
        "version": "1",
        "key": "k" * 40,
        "play": 1,
        "watch": 2,
        "players": 0,
        "tables": 0,
        "locked": False,
    }
).encode()
_HERE: Final = Address("here", 7770)


def _record() -> bytes:
    """The record of a deal that was broken off after its reveal."""
    rules, stream = make_rules("us"), CodeStream(7)
    revealed = decide(new_table(rules, lay_out(rules, stream), stream), Reveal())
    assert not isinstance(revealed, Refusal)
    heading = Heading(
        rules=rules, cards=cards_of(stream), table=1, deal=1, players=(Player("a"), Player("b")), fair=FairSettings()
    )
    return b"".join(lines(heading, [Entry(Reveal(), None, revealed)], None))


def _as_text(read: Callable[[str], object]) -> Callable[[bytes], object]:
    return lambda data: read(data.decode("utf-8", "replace"))


READERS: Final[dict[str, tuple[Callable[[bytes], object], tuple[type[Exception], ...], bytes]]] = {
    "record": (verify, (RecordError,), _record()),
    "name": (_as_text(clean_name), (ValueError,), "anna \u0301\u202e".encode()),
    "config": (_as_text(read_config), (ConfigError,), _CONFIG),
    "door": (lambda data: parse_line(data, _HERE), (DoorError,), _DOOR),
    "code": (_as_text(parse_code), (CodeError,), format_code(0, make_rules("us"), 7).encode()),
    "passcode": (_as_text(clean_passcode), (PasscodeError,), b"green frog 7"),
}
"""What reads, what it may raise, and something that it takes."""


def fuzz_readers(seed: int, count: int) -> Fuzzed:
    """Give so many broken things to each reader in turn."""
    random, wrong = Random(seed), list[str]()
    understood = before = 0
    names = list(READERS)
    tracemalloc.start()
    for number in range(count):
        if number == count // WARM:
            gc.collect()
            before = tracemalloc.get_traced_memory()[0]
        name = names[number % len(names)]
        read, declared, good = READERS[name]
        data = broken(random, good)
        try:
            with suppress(*declared):
                read(data)
                understood += 1
        except Exception as error:  # noqa: BLE001  # that none comes is what is tested
            wrong.append(f"fuzz_readers({seed}, ..) at {number}: {name}: {type(error).__name__}: {error}: {data.hex()}")
            if len(wrong) > MOST_WRONG:
                break
    gc.collect()
    growth = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    if growth > MOST_GROWTH:
        wrong.append(f"fuzz_readers({seed}, {count}): {growth} bytes more than at the start")
    return Fuzzed(count, understood, growth, wrong)


def broken(random: Random, good: bytes) -> bytes:
    """Noise, or what is good with something changed, cut out, doubled or put in."""
    kind = random.randrange(6)
    if kind == 0:
        return random.randbytes(random.randrange(200))
    if kind == 1:
        return rubbish(random, good)
    first, second = sorted(random.randrange(len(good) + 1) for _ in range(2))
    if kind == 2:
        return good[:first] + good[second:]
    if kind == 3:
        return good[:second] + good[first:]
    put_in = random.choice([b"[" * 2_000, b"{" * 2_000, b'"', b"\n", b"\0", b"1e999", b"9" * 400, b"null", b"\xff\xfe"])
    if kind == 4:
        return good[:first] + put_in + good[first:]
    return good[:first] + put_in + good[second:]
