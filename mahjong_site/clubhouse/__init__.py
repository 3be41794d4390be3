"""The pages of a club: its board, its sessions, its members."""
