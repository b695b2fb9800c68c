from __future__ import annotations

from speed_server.console import candidates


def test_completion_knows_words_settings_formats_and_names() -> None:
    assert candidates("tourn") == ["tournaments"]
    assert "start" in candidates("sta")
    assert candidates("set grace") == ["grace", "grace_total"]
    assert candidates("set format sw") == ["swiss"]
    assert candidates("withdraw an", ["anna", "bob"]) == ["anna"]
    assert candidates("draw --") == ["--dry-run"]
