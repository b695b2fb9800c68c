"""The tournaments that are live at a server: what they are told and what they ask for."""
