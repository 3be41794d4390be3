"""The only code that writes people and clubs: one module an area. Keyword-only, one transaction each, access inside."""
