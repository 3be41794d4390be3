"""Sessions, entries, legs: the only code that writes them. Services write, selectors read."""
