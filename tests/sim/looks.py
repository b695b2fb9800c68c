"""Whether a table as somebody sees it is the server's with all hidden that must be; said anew, without `views`."""

from __future__ import annotations

from speed_common.cards import HIDDEN, NO_CARD
from speed_common.table import DEALT, NEVER_US, Table

PLAIN = ("phase", "due", "winner", "score", "emptied", "gone", "asked", "lifted", "beaten", "named")


def differences(seen: Table, true: Table, viewer: int) -> list[str]:
    """What differs between a viewer's table and the true one as that viewer may see it; empty when nothing does."""
    found = [name for name in PLAIN if getattr(seen, name) != getattr(true, name)]
    turned = true.phase != DEALT
    for seat, hand in enumerate(true.hands):
        hidden = [NO_CARD if card == NO_CARD else HIDDEN for card in hand]
        expected = hand if seat == viewer and turned else hidden
        if seen.hands[seat] != expected:
            found.append(f"hand {seat}")
    if seen.tops != (true.tops if turned else [HIDDEN] * len(true.tops)):
        found.append("tops")
    if turned and seen.reach != true.reach:
        found.append("reach")
    for name in ("draws", "under", "sides"):
        heaps, counts = getattr(seen, name), list(map(len, getattr(true, name)))
        if [len(heap) for heap in heaps] != counts or any(card != HIDDEN for heap in heaps for card in heap):
            found.append(name)
    if list(map(_frozen, seen.frozen)) != list(map(_frozen, true.frozen)):
        found.append("frozen")
    return [f"{name}: {_part(seen, name)} is seen, {_part(true, name)} is true" for name in found]


def _frozen(until: int) -> int:
    return max(until, NEVER_US)


def _part(table: Table, name: str) -> object:
    return getattr(table, "hands" if name.startswith("hand ") else name)
