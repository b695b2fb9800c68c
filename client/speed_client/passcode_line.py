"""The line in which the passcode of a closed server is typed, unseen, on the list of servers. Pure."""

from __future__ import annotations

from dataclasses import replace

from speed_client.pages import ENTER, INTERRUPT, LEAVE, Back, Choice, Join
from speed_common.passcode import MOST_CHARACTERS, PasscodeError, clean_passcode


class PasscodeLine:
    """What is typed to open the server that `join` names; `why` says why it is asked for."""

    def __init__(self, join: Join, why: str) -> None:
        self._join = join
        self._why = why
        self._typed = ""

    @property
    def text(self) -> str:
        """The line as it is shown: a star for each sign, first, since what follows may be cut."""
        return f"passcode: {'*' * len(self._typed)}_ · {self._why}"

    def press(self, key: str) -> Choice | None:
        """A key: `Join` with what was typed, `Back` when it is given up, or None."""
        if key in INTERRUPT | {"escape"}:
            return Back()
        if key in LEAVE:
            self._typed = self._typed[:-1]
        elif key in ENTER:
            try:
                return replace(self._join, word=clean_passcode(self._typed))
            except PasscodeError as error:
                self._why, self._typed = str(error), ""
        elif len(key) == 1 and key.isprintable():
            self._typed = (self._typed + key)[:MOST_CHARACTERS]
        return None

    def paste(self, text: str) -> None:
        """Text from the clipboard, as an invitation comes."""
        self._typed = (self._typed + " ".join(text.split()))[:MOST_CHARACTERS]
