"""The pages of a running session."""

from django.apps import AppConfig


class TableConfig(AppConfig):
    """No models: the ledger's services write, its selectors read."""

    name = "mahjong_site.table"
    label = "table"
