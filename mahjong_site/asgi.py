"""The project as an ASGI application: ``uvicorn mahjong_site.asgi:application``."""

import os

import django

from mahjong_site.handler import OneThread
from mahjong_site.observability.limits import bounded

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "mahjong_site.settings")
django.setup(set_prefix=False)
application = bounded(OneThread())
