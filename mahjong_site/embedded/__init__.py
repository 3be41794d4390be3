"""An embedded PostgreSQL, so that the project runs where no server is named.

`layout` says where things lie, `programs` finds PostgreSQL's programs, `cluster` starts and stops a server, `roles`
sets the two roles and what the web role may do, `secrets` keeps a generated secret, `first_run` makes the virtual
environment from the lock. `layout`, `programs`, `cluster` and `first_run` need the standard library alone.
"""
