"""牌账, the Django project: pages, REST API and the ledger on top of the engine in `scoring`."""
