"""A club evening: 2 to 64 players at several tables, its formats, clocks, director and exports. No I/O, no clock."""
