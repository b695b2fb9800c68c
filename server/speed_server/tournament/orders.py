"""The director's words: what each takes, what it is for, and how a line is read.

An order is a word and its arguments. `--dry-run` asks what would happen, `--cascade` allows a correction to undo played
matches, `--reason TEXT` goes into the log.
"""

from __future__ import annotations

import shlex
from typing import Final

import msgspec

from speed_server.tournament.judging import Refusal


class Order(msgspec.Struct, frozen=True):
    """One director's command as it was read."""

    line: str
    word: str
    arguments: tuple[str, ...] = ()
    dry_run: bool = False
    cascade: bool = False
    reason: str = ""


class Usage(msgspec.Struct, frozen=True):
    """How a word is written: its arguments, how many it takes (`most` -1: any number), what it does."""

    arguments: str
    least: int
    most: int
    help: str


WORDS: Final[dict[str, Usage]] = {
    "new": Usage("NAME", 1, -1, "make a tournament of that name"),
    "set": Usage("KEY VALUE", 2, 2, "change a setting, as `set format double`, `set match 25`, `set tables 4`"),
    "add": Usage("NAME ...", 1, -1, "enter players; in a running Swiss or arena they come late"),
    "late": Usage("NAME ...", 1, -1, "the same as `add`"),
    "remove": Usage("NAME", 1, 1, "take an entry back before the draw"),
    "checkin": Usage("[open|close|NAME ...]", 0, -1, "open or close the check-in, or check players in"),
    "seed": Usage("by NAME ... | random [NUMBER] | last NAME ...", 1, -1, "the order of the seeds, best first"),
    "draw": Usage("", 0, 0, "make the bracket, the schedule or the first round"),
    "undraw": Usage("", 0, 0, "take the draw back while nothing is called"),
    "rest": Usage("NAME", 1, 1, "do not call or pair a player for a while"),
    "activate": Usage("NAME", 1, 1, "bring a resting, dropped or withdrawn player in again"),
    "withdraw": Usage("NAME ...", 1, -1, "players leave: they lose all open and coming matches"),
    "dq": Usage("NAME", 1, 1, "disqualify a player"),
    "rename": Usage("NAME NEW", 2, 2, "give a player another name"),
    "start": Usage("", 0, 0, "let matches be called"),
    "pause": Usage("[REASON]", 0, -1, "stop all clocks"),
    "resume": Usage("", 0, 0, "let the clocks run again; everybody has a fresh time to sit down"),
    "publish": Usage("", 0, 0, "show a Swiss round that was taken back, as it is"),
    "unpublish": Usage("", 0, 0, "take an unplayed Swiss round back"),
    "repair": Usage("", 0, 0, "pair an unplayed Swiss round anew"),
    "fix": Usage("A-B [off]", 1, 2, "two players meet in the next Swiss round"),
    "bye": Usage("NAME|off", 1, 1, "who has the bye of the next Swiss round"),
    "forbid": Usage("A-B [off]", 1, 2, "two players never meet in the Swiss"),
    "next": Usage("", 0, 0, "do not wait for the cooling time"),
    "finish": Usage("", 0, 0, "end the tournament as it stands"),
    "reopen": Usage("", 0, 0, "go on with a finished tournament"),
    "archive": Usage("", 0, 0, "nothing changes any more"),
    "cancel": Usage("", 0, 0, "end the tournament without a result"),
    "playoff": Usage("A-B", 1, 1, "a match between two who share a place, or for a vacant one"),
    "open": Usage("TABLE ...", 1, -1, "use tables"),
    "close": Usage("TABLE ...", 1, -1, "use tables no more once their match is over"),
    "move": Usage("MATCH TABLE", 2, 2, "a called or running match goes to another table"),
    "pin": Usage("MATCH [off]", 1, 2, "a match is called before all others"),
    "hold": Usage("MATCH [off]", 1, 2, "a match is not called"),
    "recall": Usage("MATCH", 1, 1, "take a call back; nobody is punished"),
    "walkover": Usage("MATCH WINNER", 2, 2, "a match goes to the one who is here"),
    "both-absent": Usage("MATCH", 1, 1, "neither came"),
    "result": Usage("MATCH SCORE", 2, 2, "enter a result, the score in the order of the names: `result M3 25:19`"),
    "correct": Usage("MATCH SCORE", 2, 2, "another score for a finished match"),
    "replay": Usage("MATCH", 1, 1, "a finished match is played again"),
    "void": Usage("MATCH", 1, 1, "a match counts for nobody"),
    "undo": Usage("", 0, 0, "take the last command back"),
    "note": Usage("TEXT", 1, -1, "a line in the log"),
    "announce": Usage("TEXT", 1, -1, "a line for everybody"),
    "status": Usage("", 0, 0, "where things stand"),
    "why": Usage("", 0, 0, "what keeps the next step back"),
    "explain": Usage("NAME|ROUND", 1, 1, "how a tie-break or a pairing came about"),
    "log": Usage("[N]", 0, 1, "the last commands and events"),
    "plan": Usage("PLAYERS TABLES MINUTES", 3, 3, "which format fits an evening"),
    "help": Usage("[WORD]", 0, 1, "the words"),
}
"""All words in the order of an evening."""

ASKING: Final = frozenset({"status", "why", "explain", "log", "plan", "help"})
"""Words that change nothing."""


def parse(line: str) -> Order | Refusal:
    """The order of a line, or what is wrong with it."""
    try:
        words = shlex.split(line, comments=True)
    except ValueError:
        return Refusal("a quotation mark is not closed", 'write names with spaces as `add "Anna K"`')
    options = {"--dry-run": False, "--cascade": False}
    reason = ""
    if "--reason" in words:
        index = words.index("--reason")
        reason, words = " ".join(words[index + 1 :]), words[:index]
    for option in options:
        if option in words:
            options[option] = True
            words = [word for word in words if word != option]
    if not words:
        return Refusal("there is no command", "`help` lists the words")
    word, *arguments = words
    unknown = next((argument for argument in arguments if argument.startswith("--")), None)
    usage = WORDS.get(word)
    if usage is None:
        return Refusal(f"{word!r} is no command", "`help` lists the words")
    if unknown is not None:
        return Refusal(f"{word} knows no {unknown}", "the options are `--dry-run`, `--cascade` and `--reason TEXT`")
    if len(arguments) < usage.least or (usage.most >= 0 and len(arguments) > usage.most):
        return Refusal(f"{line.strip()!r} is not complete or too long", f"write `{word} {usage.arguments}`".rstrip())
    return Order(line.strip(), word, tuple(arguments), options["--dry-run"], options["--cascade"], reason)
