"""`config.toml` as text: read, and written back with everything in it that is not ours. Pure.

Python reads TOML and writes none. What is written here is little: scalars at the top, and one table of keys. A line
that stands already is replaced in its place; comments, blank lines and what another version wrote stay as they are.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from typing import Any, Final

from speed_client.bindings import BINDABLE
from speed_client.choices import BY_NAME, Choices, Value, changed, from_table

HEAD: Final = "# speed-client: what was chosen. The settings screen (F2) writes it; so may you.\n"
_SECTION: Final = re.compile(r"^\s*\[")
_ENTRY: Final = re.compile(r"^\s*(?P<name>[A-Za-z0-9_-]+)\s*=")


class ConfigError(ValueError):
    """The text is no TOML; the reason, with its line."""


def read_config(text: str) -> tuple[Choices, list[str]]:
    """The choices that the text holds, and a sentence for each that cannot be.

    Raises `ConfigError` for text that is no TOML.
    """
    try:
        table = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigError(str(error) or "it is nested too deeply") from None
    return from_table(table)


def write_config(choices: Choices, before: str = "") -> str:
    """The text with these choices, made of the one before it. What is as by default has no line."""
    wanted = {name: _scalar(value) for name, value in changed(choices).items()}
    keys = {action: _scalar(key) for action, key in choices.keys}
    text = _edited(before, wanted, keys)
    if not _holds(text, choices):
        text = _edited("", wanted, keys)
    return text


def _edited(before: str, wanted: Mapping[str, str], keys: Mapping[str, str]) -> str:
    top: list[str] = []
    own: list[str] = []
    rest: list[str] = []
    section = ""
    for line in before.splitlines():
        if _SECTION.match(line):
            section = line.strip().partition("#")[0].strip()
            if section == "[keys]":
                continue
        (top if not section else own if section == "[keys]" else rest).append(line)
    lines = _replaced(top or [HEAD.rstrip()], wanted, frozenset(BY_NAME))
    bound = _replaced(own, keys, frozenset(BINDABLE))
    if bound:
        lines += ["", "[keys]", *bound] if lines and lines[-1].strip() else ["[keys]", *bound]
    if rest:
        lines += ["", *rest] if lines and lines[-1].strip() else rest
    return "\n".join(lines).rstrip() + "\n"


def _replaced(lines: list[str], wanted: Mapping[str, str], ours: frozenset[str]) -> list[str]:
    """The lines with each of our entries as it shall be: replaced, dropped, or added at the end."""
    found: list[str] = []
    done: set[str] = set()
    for line in lines:
        entry = _ENTRY.match(line)
        name = entry["name"] if entry else ""
        if name not in ours:
            found.append(line)
        elif name in wanted and name not in done:
            comment = re.search(r"\s+#[^\"']*$", line)
            found.append(f"{name} = {wanted[name]}{comment[0] if comment else ''}")
            done.add(name)
    while found and not found[-1].strip():
        found.pop()
    return [*found, *(f"{name} = {value}" for name, value in wanted.items() if name not in done)]


def _holds(text: str, choices: Choices) -> bool:
    try:
        return read_config(text) == (choices, [])
    except ConfigError:
        return False


def _scalar(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    return f'"{"".join(map(_escaped, value))}"'


def _escaped(char: str) -> str:
    special: dict[str, Any] = {'"': '\\"', "\\": "\\\\"}
    if char in special:
        return str(special[char])
    return char if char.isprintable() else f"\\u{ord(char):04x}" if ord(char) < 0x10000 else f"\\U{ord(char):08x}"  # noqa: PLR2004
