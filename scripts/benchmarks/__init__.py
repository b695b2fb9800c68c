"""The benchmark behind `scripts/bench`: the game's exchange over a raw socket, over bare ZeroMQ, and as it is."""
