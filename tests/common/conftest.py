"""How the common tests run Hypothesis: no deadline (a shared machine), no failures kept on disk."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("common", deadline=None, database=None)
settings.load_profile("common")
