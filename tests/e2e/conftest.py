"""A place of its own for each test, where every program that it starts has ended when it ends."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from processes import Programs


@pytest.fixture
def programs(tmp_path: Path) -> Iterator[Programs]:
    with Programs(tmp_path) as running:
        yield running
