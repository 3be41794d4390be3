"""People, clubs, invitations. `access` is the only door to a club's rows; `services` write them."""
