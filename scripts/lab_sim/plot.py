"""P(correct | gap) as a picture: a small chart for each pair of links, the fair order beside arrival order. SVG."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import log
from typing import Final

from lab_sim.figures import Figures, Order, wilson
from lab_sim.races import GAPS_MS

WIDTH: Final = 250
HEIGHT: Final = 150
LEFT: Final = 52
TOP: Final = 46
APART_X: Final = 24
APART_Y: Final = 58
ACROSS: Final = 3
GRID: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
STYLE: Final = """
text{font:12px system-ui,sans-serif;fill:#444}
.title{font-weight:600;fill:#111}
.grid{stroke:#ddd}
.frame{fill:#fff;stroke:#bbb}
.fair{stroke:#0a6cb3;fill:#0a6cb3}
.arrival{stroke:#c4541b;fill:#c4541b}
polyline.fair,polyline.arrival{fill:none;stroke-width:2.2}
polyline.arrival{stroke-dasharray:6 4}
.spread{stroke-width:1.2}
circle{stroke:none}
"""


def picture(found: Mapping[str, Figures]) -> str:
    """The charts of all pairs of links, by their titles."""
    rows = -(-len(found) // ACROSS)
    wide = LEFT + ACROSS * WIDTH + (ACROSS - 1) * APART_X + 20
    high = TOP + rows * (HEIGHT + APART_Y)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}" height="{high}">',
        "<title>How often the hand that was first wins, by how far it was ahead</title>",
        f"<style>{STYLE}</style>",
        f'<rect width="{wide}" height="{high}" fill="#fff"/>',
    ]
    for number, (title, figures) in enumerate(found.items()):
        left = LEFT + number % ACROSS * (WIDTH + APART_X)
        top = TOP + number // ACROSS * (HEIGHT + APART_Y)
        parts.append(f'<g transform="translate({left} {top})">')
        parts += _chart(title, figures, labelled=number % ACROSS == 0)
        parts.append("</g>")
    parts += _legend()
    parts.append("</svg>\n")
    return "\n".join(parts)


def _chart(title: str, figures: Figures, *, labelled: bool) -> Iterator[str]:
    yield f'<rect class="frame" width="{WIDTH}" height="{HEIGHT}"/>'
    yield f'<text class="title" x="0" y="-8">{title}</text>'
    for share in GRID:
        yield f'<line class="grid" x1="0" x2="{WIDTH}" y1="{_y(share)}" y2="{_y(share)}"/>'
        if labelled:
            yield f'<text x="-8" y="{_y(share) + 4}" text-anchor="end">{100 * share:.0f} %</text>'
    for gap in GAPS_MS:
        yield f'<text x="{_x(gap)}" y="{HEIGHT + 16}" text-anchor="middle">{gap}</text>'
    yield f'<text x="{WIDTH / 2}" y="{HEIGHT + 32}" text-anchor="middle">ms ahead</text>'
    for name, order in (("arrival", figures.arrival), ("fair", figures.fair)):
        yield from _curve(name, order)


def _curve(name: str, order: Order) -> Iterator[str]:
    known = [gap for gap in GAPS_MS if order.correct[gap][1]]
    for gap in known:
        low, high = wilson(*order.correct[gap])
        yield f'<line class="spread {name}" x1="{_x(gap)}" x2="{_x(gap)}" y1="{_y(low)}" y2="{_y(high)}"/>'
        yield f'<circle class="{name}" cx="{_x(gap)}" cy="{_y(order.at(gap))}" r="3"/>'
    points = " ".join(f"{_x(gap)},{_y(order.at(gap))}" for gap in known)
    yield f'<polyline class="{name}" points="{points}"/>'


def _legend() -> Iterator[str]:
    for name, text, left in (("fair", "fair order", LEFT), ("arrival", "arrival order, same races", LEFT + 130)):
        yield f'<polyline class="{name}" points="{left},14 {left + 30},14"/><text x="{left + 38}" y="18">{text}</text>'


def _x(gap_ms: int) -> float:
    """Gaps as their logarithm: what matters is the order of magnitude."""
    least, most = log(GAPS_MS[0]), log(GAPS_MS[-1])
    margin = 14
    return round(margin + (log(gap_ms) - least) / (most - least) * (WIDTH - 2 * margin), 1)


def _y(share: float) -> float:
    return round(HEIGHT * (1 - share), 1)
