"""The pages of a table: opening, entering hands, correcting, seats, joining. Amounts come from the engine alone."""
