"""`speed-server rehearse FILE`: an evening on virtual time, from a file of director's commands, one a line.

For planning an evening, and for tests. Everybody is there and sits down at once when called, unless a line says
otherwise. Beside the director's words a file may hold those of `WORDS` below. What happens is printed as it happens;
a line that cannot be obeyed ends the rehearsal.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

from speed_common.paths import given_path
from speed_server.tournament.archive import ArchiveError, final_order
from speed_server.tournament.config import SECOND, duration
from speed_server.tournament.desk import Desk
from speed_server.tournament.exports import export_files
from speed_server.tournament.judging import Refused, find_match, find_player
from speed_server.tournament.narrate import JsonLine, standings_line, text_of
from speed_server.tournament.play import Lose, ReportDeal, Return
from speed_server.tournament.tables_csv import read_players
from speed_server.virtual_hall import BASE, RehearsalError, VirtualHall

WORDS: Final = {
    "play": "MATCH WINNER [SCORE]",
    "favourites": "[ROUNDS]",
    "after": "DURATION",
    "deal": "MATCH WINNER POINTS",
    "absent": "NAME ...",
    "back": "NAME ...",
    "lose": "NAME ...",
    "restart": "[DURATION]",
    "standings": "",
    "import": "FILE",
    "export": "FOLDER",
}
"""The extra words. `absent` does not answer calls, `lose` loses the link, `restart`: the server is dead for so long."""


class Rehearsal(VirtualHall):
    """A desk on virtual time, with players who do as the lines say. `folder` is where `import` looks for files."""

    def __init__(self, folder: Path = Path()) -> None:
        super().__init__()
        self._folder = folder
        self._words: dict[str, Callable[[list[str]], None]] = {
            "play": self._play,
            "favourites": self._favourites,
            "after": self._after,
            "deal": self._deal,
            "absent": self._go_absent,
            "back": self._come_back,
            "lose": self._lose,
            "restart": self._restart,
            "standings": self._standings,
            "import": self._import,
            "export": self._export,
            "seed-last": self._seed_last,
        }

    def run(self, line: str) -> list[JsonLine]:
        """Obey one line; what happened. Raises RehearsalError."""
        self.lines = []
        try:
            words = shlex.split(line, comments=True)
        except ValueError:
            raise RehearsalError('a quotation mark is not closed: write `add "Anna K"`') from None
        if not words:
            return []
        word, *arguments = words
        if word == "seed" and len(arguments) == 2 and arguments[1].endswith(".json"):  # noqa: PLR2004
            word, arguments = "seed-last", arguments[1:]
        if word in self._words:
            try:
                self._words[word](arguments)
            except Refused as refused:
                raise RehearsalError(str(refused.refusal)) from None
            except (ValueError, IndexError):
                raise RehearsalError(f"{word} is not understood: write `{word} {WORDS[word]}`") from None
        else:
            self.obey(line)
        return self.lines

    # --- the words ----------------------------------------------------------------------------------------------------

    def _play(self, arguments: list[str]) -> None:
        match = find_match(self.desk.state, arguments[0])
        winner = find_player(self.desk.state, arguments[1]).number
        if winner not in match.known:
            raise Refused(f"{arguments[1]} does not play {self.desk.state.title(match)}", "`play MATCH WINNER`")
        self.wait_for(match)
        self.report(match.number, winner, arguments[2] if len(arguments) > 2 else "")  # noqa: PLR2004

    def _deal(self, arguments: list[str]) -> None:
        match = find_match(self.desk.state, arguments[0])
        winner = find_player(self.desk.state, arguments[1]).number
        self.must(self.desk.handle(ReportDeal(match.number, winner, int(arguments[2])), self.now))
        self.follow()

    def _favourites(self, arguments: list[str]) -> None:
        """Each round is what can be played at its begin; the better seed wins, each match takes its usual length."""
        if self.desk.state.phase != "running":
            raise Refused(f"the tournament is {self.desk.state.phase}", "`start` or `resume` it first")
        for _ in range(int(arguments[0]) if arguments else 1):
            if not self.play_round():
                return

    def _after(self, arguments: list[str]) -> None:
        end = self.now + duration(arguments[0])
        while (due := self.desk.next_due(self.now)) is not None and due <= end:
            self.advance_to(due)
        self.advance_to(end)

    def _go_absent(self, names: list[str]) -> None:
        for name in names:
            self.absent.add(find_player(self.desk.state, name).number)

    def _come_back(self, names: list[str]) -> None:
        for name in names:
            number = find_player(self.desk.state, name).number
            self.absent.discard(number)
            self.lost.discard(number)
            self.must(self.desk.handle(Return(number), self.now))
        self.follow()

    def _lose(self, names: list[str]) -> None:
        for name in names:
            number = find_player(self.desk.state, name).number
            self.lost.add(number)
            self.must(self.desk.handle(Lose(number), self.now))
        self.follow()

    def _restart(self, arguments: list[str]) -> None:
        """The server dies without a word and is up again later, from its log."""
        self.follow()
        self.now += duration(arguments[0]) if arguments else 0
        log = self.desk.log
        self.desk = Desk()
        self.desk.load(log)
        self.desk.boot(self.now)
        for number in self.desk.state.players:
            if number not in self.absent | self.lost:
                self.must(self.desk.handle(Return(number), self.now))
        self.follow()

    def _standings(self, _: list[str]) -> None:
        state = self.desk.state
        if not state.stages:
            raise Refused("there are no standings yet", "`draw` first")
        self.lines.append(standings_line(state, state.stage, (self.now - BASE) // SECOND))

    def _import(self, arguments: list[str]) -> None:
        try:
            players = read_players((self._folder / arguments[0]).read_text(encoding="utf-8-sig"))
        except OSError as error:
            raise Refused(
                f"{arguments[0]} cannot be read ({error.strerror})", "`import FILE` takes a CSV file"
            ) from None
        except ValueError as error:
            raise Refused(
                f"{arguments[0]} is no list of players: {error}", "write `name` into its first line"
            ) from None
        self.obey(shlex.join(["add", *players]))

    def _seed_last(self, arguments: list[str]) -> None:
        """`seed last evening.json`: who played then, by the places of then."""
        try:
            names = final_order((self._folder / arguments[0]).read_bytes())
        except (OSError, ArchiveError) as error:
            raise Refused(
                f"{arguments[0]} is no last evening ({error})", "`seed last FILE` takes a tournament.json"
            ) from None
        entered = {player.name.casefold() for player in self.desk.state.players.values()}
        self.obey(shlex.join(["seed", "last", *(name for name in names if name.casefold() in entered)]))

    def _export(self, arguments: list[str]) -> None:
        folder = self._folder / arguments[0]
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for name, text in export_files(self.desk.log, self.desk.state, self.now).items():
                (folder / name).write_text(text, encoding="utf-8", newline="")
        except OSError as error:
            raise Refused(f"{folder} cannot be written ({error.strerror})", "`export FOLDER` takes a folder") from None


def rehearse(lines: Sequence[str], folder: Path = Path()) -> Iterator[JsonLine]:
    """What happens in an evening of these lines. Raises RehearsalError, whose text names the line."""
    evening = Rehearsal(folder)
    for number, line in enumerate(lines, 1):
        try:
            happened = evening.run(line)
        except RehearsalError as error:
            yield from evening.lines
            raise RehearsalError(f"line {number}, {line.strip()!r}: {error}") from None
        yield from happened


def main(arguments: Sequence[str]) -> int:
    """Run `speed-server rehearse`; the exit code: 0, 1 for a line that cannot be obeyed, 2 for a wrong option."""
    parser = argparse.ArgumentParser(
        prog="speed-server rehearse",
        description="Play through an evening on virtual time, from a file of director's commands.",
        epilog="More words: " + "; ".join(f"{word} {usage}".rstrip() for word, usage in WORDS.items()) + ".",
    )
    parser.add_argument("file", type=given_path, metavar="FILE", help="commands, one a line; - is the standard input")
    parser.add_argument("--json", action="store_true", help="print JSON lines")
    options = parser.parse_args(arguments)
    try:
        text = sys.stdin.read() if str(options.file) == "-" else options.file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        print(f"speed-server rehearse: {options.file} cannot be read: {error}", file=sys.stderr)  # noqa: T201
        return 1
    try:
        for line in rehearse(text.splitlines(), options.file.parent):
            print(msgspec.json.encode(line).decode() if options.json else text_of(line))  # noqa: T201
    except RehearsalError as error:
        print(f"speed-server rehearse: {error}", file=sys.stderr)  # noqa: T201
        return 1
    return 0
