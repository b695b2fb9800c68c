from dataclasses import fields
from pathlib import Path

from speed_server.limits import Limits

SECURITY = (Path(__file__).resolve().parents[2] / "docs" / "security.md").read_text(encoding="utf-8")


def test_hosts_can_read_of_every_limit() -> None:
    assert not [field.name for field in fields(Limits) if f"`{field.name}`" not in SECURITY]


def test_what_a_held_key_piles_up_is_below_a_flood() -> None:
    """Thirty presses a second for the four seconds after which a stalled connection is given up."""
    limits = Limits()
    assert limits.flood_requests > 30 * 4
    assert limits.beats_burst >= limits.beats_per_second * 4
