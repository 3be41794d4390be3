"""Accounts: signing in, passwords, API tokens."""
