"""What a hand waits for, and what to throw: the engine's analysis as a page."""
