"""`config.toml` on disk: where it lies, read at the start, replaced whole at each change. Part of the rim.

Nothing here stops play. A file that is no TOML is put aside as `config.toml.bad` and the defaults hold; one with a
value that cannot be is copied there before the first change to it, so that nothing a player wrote is ever lost.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import platformdirs

from speed_client.choices import Choices
from speed_client.config_text import ConfigError, read_config, write_config

NAME: Final = "config.toml"
HOME_VARIABLE: Final = "SPEED_HOME"
MOST_BAD: Final = 99
MOST_BYTES: Final = 1_000_000


class ConfigFile:
    """The file; `notes` are lines that the player should read."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.notes: list[str] = []
        self._faulty = False

    def load(self) -> Choices:
        """What was chosen before; the defaults where there is nothing, or nothing that can be read."""
        try:
            data = self._read()
        except FileNotFoundError:
            return Choices()
        except OSError as error:
            self.notes.append(f"{self.path} could not be read, the defaults hold: {error.strerror or error}")
            return Choices()
        try:
            choices, faults = read_config(data.decode("utf-8"))
        except (ConfigError, UnicodeDecodeError) as error:
            aside = self._put_aside(copy=False)
            self.notes.append(f"{self.path} is no TOML ({error}): it is kept as {aside}, and the defaults hold")
            return Choices()
        if faults:
            self._faulty = True
            more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
            self.notes.append(f"{self.path}: {faults[0]}{more}; the default holds")
        return choices

    def save(self, choices: Choices) -> str:
        """Keep the choices; a sentence where that failed."""
        try:
            before = self._before()
            if self._faulty:
                self._put_aside(copy=True)
                self._faulty = False
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=self.path.parent, prefix=".new-")
            try:
                with os.fdopen(handle, "w", encoding="utf-8") as file:
                    file.write(write_config(choices, before))
                Path(temporary).replace(self.path)
            except BaseException:
                Path(temporary).unlink(missing_ok=True)
                raise
        except OSError as error:
            return f"the settings could not be kept: {error.strerror or error} ({self.path})"
        return ""

    def _before(self) -> str:
        try:
            text = self._read().decode("utf-8")
            read_config(text)
        except (FileNotFoundError, UnicodeDecodeError, ConfigError):
            # Somebody broke it while we ran: what they wrote is kept too.
            self._faulty = self._faulty or self.path.exists()
            return ""
        return text

    def _read(self) -> bytes:
        if self.path.exists() and not self.path.is_file():
            raise OSError("it is no file")
        if self.path.exists() and self.path.stat().st_size > MOST_BYTES:
            raise OSError("it is too long")
        return self.path.read_bytes()

    def _put_aside(self, *, copy: bool) -> str:
        """Keep what stands there beside it, under a name that is free; that name."""
        for number in range(1, MOST_BAD + 1):
            aside = self.path.with_name(f"{NAME}.bad{'' if number == 1 else f'-{number}'}")
            if not aside.exists():
                break
        with contextlib.suppress(OSError):
            if copy:
                shutil.copy2(self.path, aside)
            else:
                self.path.replace(aside)
        return aside.name


def config_file(environment: Mapping[str, str]) -> ConfigFile:
    """The file of this user, or the one in the folder that `SPEED_HOME` names."""
    home = environment.get(HOME_VARIABLE)
    folder = Path(home) if home else Path(platformdirs.user_config_dir("speed-lan", appauthor=False))
    return ConfigFile(folder / NAME)
