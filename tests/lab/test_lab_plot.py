from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from lab_sim.app import main

SVG = "{http://www.w3.org/2000/svg}"


def curves(chart: ET.Element) -> dict[str, list[tuple[float, float]]]:
    found = {}
    for line in chart.iter(f"{SVG}polyline"):
        points = (point.split(",") for point in line.attrib["points"].split())
        found[line.attrib["class"]] = [(float(x), float(y)) for x, y in points]
    return found


def test_the_picture_draws_the_fair_order_above_arrival_order_on_a_bad_link(tmp_path: Path) -> None:
    file = tmp_path / "fair.svg"
    main(["--sim", "--link", "bad", "--mode", "reaction", "--races", "400", "--plot", str(file), "--json"])
    charts = ET.fromstring(file.read_text(encoding="utf-8")).findall(f"{SVG}g")
    assert [chart.findtext(f"{SVG}text") for chart in charts] == ["cable and bad Wi-Fi"]
    drawn = curves(charts[0])
    assert set(drawn) == {"fair", "arrival"}
    at_10 = 3  # of the gaps 1, 2, 5, 10, 20, 50
    assert drawn["fair"][at_10][1] < drawn["arrival"][at_10][1]  # up is a smaller y
    assert [x for x, _ in drawn["fair"]] == sorted(x for x, _ in drawn["fair"])


@pytest.mark.parametrize("more", [["--live"], ["--attack", "shift"], ["--mode", "press"]])
def test_a_picture_of_what_is_not_run_is_refused_before_anything_runs(
    more: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "fair.svg"
    with pytest.raises(SystemExit) as ended:
        main(["--plot", str(file), *more])
    assert ended.value.code == 2
    assert "leave" in capsys.readouterr().err
    assert not file.exists()
