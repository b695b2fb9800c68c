"""Short sentences for what the game says in stable words; shared by the faces that speak."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from speed_common.cards import FIRST_JOKER, NO_CARD, RANK_NAMES, Card
from speed_common.wire import Refused, Result, Room

MICROSECONDS: Final = 1_000_000

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
}


def rank_word(card: Card) -> str:
    """A card in a word: its rank, since suits do not count in Speed."""
    if card == NO_CARD:
        return "none"
    if card < 0:
        return "hidden"
    return "joker" if card >= FIRST_JOKER else RANK_NAMES[card % 13]


def rank_words(cards: Iterable[Card]) -> str:
    """Several cards in words, by slot or by pile."""
    return " ".join(map(rank_word, cards))


def pile_word(pile: int, piles: int) -> str:
    """A pile by its place."""
    if piles == 2:  # noqa: PLR2004  # one to each hand
        return ("left", "right")[pile]
    return f"pile {pile + 1}"


def refusal_sentence(refused: Refused, card: Card, room: Room | None) -> str:
    """Why the play of a card did not count."""
    if refused.word == "illegal":
        return f"{rank_word(card)} does not fit."
    if refused.word != "beaten":
        return _WORDS.get(refused.word, f"Refused: {refused.word}.")
    text = f"Beaten by {refused.late_us / MICROSECONDS:.2f} s."
    if room is not None and 0 <= refused.by < len(room.seats):
        text += f" {room.seats[refused.by].name} played {rank_word(refused.took)}."
    return text


def why_sentence(word: str) -> str:
    """Why a press was not sent."""
    return _WORDS.get(word, f"Refused: {word}.")


def cards_word(count: int) -> str:
    """A number of cards."""
    return "1 card" if count == 1 else f"{count} cards"


def result_sentence(result: Result, room: Room) -> str:
    """How a deal ended, as for a spectator."""
    if not 0 <= result.winner < len(room.seats):
        return "The deal is void: nobody wins."
    name = room.seats[result.winner].name or f"seat {result.winner + 1}"
    how = "the other left" if result.forfeit else f"by {cards_word(result.score)}"
    return f"{name} wins, {how}, after {result.duration_us / MICROSECONDS:.1f} s."
