"""The dedicated server: a pure hub of rooms and sessions, and the rim of sockets around it."""
