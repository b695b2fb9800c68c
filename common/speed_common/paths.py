"""A path on a command line."""

from __future__ import annotations

import argparse
from pathlib import Path


def given_path(text: str) -> Path:
    """The path that an option names.

    Raises `argparse.ArgumentTypeError` for an empty one, which a script's unset variable makes and which would mean
    the folder that the program was started in.
    """
    if not text.strip():
        raise argparse.ArgumentTypeError("the path is empty: name one, or leave the option out")
    return Path(text)
