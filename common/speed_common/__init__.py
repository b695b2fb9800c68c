"""What both ends share: the rules of Speed, the table, its views, the wire. Pure, but for `sim`'s command line."""

__version__ = "0.1.0"
