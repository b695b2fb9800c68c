"""A full house around one server, with an attacker or without: what `scripts/load` runs."""
