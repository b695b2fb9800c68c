import json
import sys
from pathlib import Path

import pytest

from speed_server.stats import StatsError, StatsFile


def test_each_line_is_one_object_behind_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "figures.jsonl"
    path.write_text('{"at": "before"}\n')
    stats = StatsFile(path)
    stats.write({"players": 3})
    stats.write({"players": 4})
    stats.close()
    before, first, second = map(json.loads, path.read_text().splitlines())
    assert before == {"at": "before"}
    assert (first["players"], second["players"]) == (3, 4)
    assert first["at"].endswith("Z")
    assert first["cpu_s"] > 0


def test_a_file_that_cannot_be_opened_is_named_with_the_remedy(tmp_path: Path) -> None:
    with pytest.raises(StatsError, match="--stats FILE"):
        StatsFile(tmp_path / "nowhere" / "figures.jsonl")


@pytest.mark.skipif(sys.platform != "linux", reason="/dev/full")
def test_a_full_disk_is_told_once_and_stops_nobody(capfd: pytest.CaptureFixture[str]) -> None:
    stats = StatsFile(Path("/dev/full"))
    for _ in range(3):
        stats.write({"players": 1})
    stats.close()
    (line,) = capfd.readouterr().err.splitlines()
    assert line.startswith("speed-server: no more figures: cannot write /dev/full (No space left")
