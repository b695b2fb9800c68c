"""Painters: pure functions from a model and a size to a canvas of (character, style name) cells."""
