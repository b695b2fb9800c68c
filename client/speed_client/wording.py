"""Short sentences for what the game says in stable words; shared by the faces that speak."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from speed_client.news import Asked
from speed_client.printable import printable
from speed_common.cards import FIRST_JOKER, NO_CARD, NO_RANK, RANK_NAMES, Card, Rank
from speed_common.events import Beaten
from speed_common.rules import Rules
from speed_common.wire import Reactions, Refused, Result, Room

MICROSECONDS: Final = 1_000_000
MILLISECOND: Final = 1_000

PILE_NAMES: Final[Mapping[int, tuple[str, ...]]] = {
    2: ("left", "right"),
    3: ("left", "middle", "right"),
    4: ("far left", "left", "right", "far right"),
}
"""By how many there are."""

_WORDS: Final = {
    "late_link": "Too late: the link was slow.",
    "not_started": "The cards are not turned yet.",
    "deal_over": "The deal is over.",
    "not_in_hand": "No card there.",
    "pending": "That card is on its way.",
    "paused": "The deal is paused.",
    "too_fast": "Too fast: the server has too many of your plays waiting.",
    "not_seated": "You have no seat yet.",
    "no_link": "No link.",
    "no_answer": "No answer from the server.",
    "hand_full": "Your hand is full.",
    "nothing_to_draw": "Your draw pile is empty.",
    "not_due": "The table is not stuck, or it flips by itself.",
    "calling": "Somebody has no cards left and must call speed first.",
    "frozen": "You called with cards left and must wait.",
    "no_call": "There is nothing to call.",
    "no_draw": "Cards come into your hand by themselves.",
}


def rank_word(card: Card, named: Rank = NO_RANK) -> str:
    """A card in a word: its rank, since suits do not count in Speed; a joker's is the one that it was `named`."""
    if named != NO_RANK:
        return f"joker as {RANK_NAMES[named]}"
    if card == NO_CARD:
        return "none"
    if card < 0:
        return "hidden"
    return "joker" if card >= FIRST_JOKER else RANK_NAMES[card % 13]


def rank_words(cards: Iterable[Card]) -> str:
    """Several cards in words, by slot."""
    return " ".join(map(rank_word, cards))


def top_words(tops: Iterable[Card], named: Iterable[Rank]) -> str:
    """The tops in words, by pile."""
    return " ".join(rank_word(top, rank) for top, rank in zip(tops, named, strict=True))


def pile_word(pile: int, piles: int) -> str:
    """A pile by its place among so many, as its players see them."""
    names = PILE_NAMES.get(piles, ())
    return names[pile] if 0 <= pile < len(names) else f"pile {pile + 1}"


def next_word(room: Room) -> str:
    """What follows a deal that is over: the next one of its match, or a rematch."""
    decided = room.result is None or room.result.match_over
    return "next deal" if is_match(room.rules) and not decided else "rematch"


def listed(names: Sequence[str]) -> str:
    """Names in a sentence: `anna`, `anna and bob`, `anna, bob and cho`."""
    return " and ".join(part for part in (", ".join(names[:-1]), names[-1]) if part) if names else ""


def refusal_sentence(refused: Refused, card: Card, room: Room | None, asked: Asked = "play") -> str:
    """Why the play of a card, or what else was asked of the table, did not count."""
    if refused.word == "illegal" and asked != "play":
        return _WORDS["no_call" if asked == "call" else "no_draw"]
    if refused.word == "illegal":
        return f"{rank_word(card)} does not fit."
    if refused.word != "beaten":
        return why_sentence(refused.word, refused.text)
    text = f"Beaten by {late_words(refused.late_us)}."
    if room is not None and 0 <= refused.by < len(room.seats):
        text += f" {room.seats[refused.by].name} played {rank_word(refused.took)}."
    return text


def why_sentence(word: str, text: str = "") -> str:
    """Why a press was not sent; `text` is what the server says of it."""
    said = printable(text)
    return f"{said[:1].upper()}{said[1:]}." if said else _WORDS.get(word, f"Refused: {word}.")


def late_words(late_us: int) -> str:
    """By how much a play came too late; never as none at all."""
    return f"{late_us / MICROSECONDS:.2f} s" if late_us >= MICROSECONDS // 100 else "under 0.01 s"


def margin_words(late_us: int, under: str) -> str:
    """By how much a race was lost, as those read it who only look on: `12 ms`, or `under` 1 ms."""
    return f"{milliseconds(late_us)} ms" if late_us >= MILLISECOND else f"{under}1 ms"


def contest_words(
    event: Beaten, race: Reactions | None, names: Mapping[int, str], pile: str, under: str = "under "
) -> str:
    """A lost race as those read it who only look on: `left: bob beats anna by 2 ms, close`."""
    close = ", close" if race is not None and race.close else ""
    by, loser = names.get(event.by) or "somebody", names.get(event.seat) or "somebody"
    return f"{pile}: {by} beats {loser} by {margin_words(event.late, under)}{close}"


def cards_word(count: int) -> str:
    """A number of cards."""
    return "1 card" if count == 1 else f"{count} cards"


def result_sentence(result: Result, room: Room) -> str:
    """How a deal ended, as for a spectator."""
    if not 0 <= result.winner < len(room.seats):
        return "The deal is void: nobody wins."
    name = room.seats[result.winner].name or f"seat {result.winner + 1}"
    how = others_left(len(room.seats)) if result.forfeit else f"by {cards_word(result.score)}"
    match = f" {name} wins the match." if result.match_over and is_match(room.rules) else ""
    return f"{name} wins, {how}, after {result.duration_us / MICROSECONDS:.1f} s.{match}"


def milliseconds(microseconds: int) -> str:
    """A time as a whole number of milliseconds."""
    return str(round(microseconds / 1_000))


def fair_sentence(result: Result, seat: int) -> str:
    """What the fair order cost the player of a seat; empty where it decided nothing."""
    if not 0 <= seat < len(result.fair):
        return ""
    own = result.fair[seat]
    plays = "1 of your plays" if own.contested == 1 else f"{own.contested} of your plays"
    held = f"{milliseconds(own.hold_mean_us)} ms on average, {milliseconds(own.hold_p99_us)} ms at 99 %"
    return f"Fair order: {plays} could be contested; held {held}."


def others_left(players: int) -> str:
    """How the last one at a table wins."""
    return "the other left" if players <= 2 else "the others left"  # noqa: PLR2004  # one other


def is_match(rules: Rules) -> bool:
    """Whether the deals of these rules count towards something."""
    return bool(rules.match_target or rules.best_of)
