"""The laboratory of the fair order: two players over bad links, the real order between them, and the truth."""
