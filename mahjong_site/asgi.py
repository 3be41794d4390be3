"""The project as an ASGI application: ``uvicorn mahjong_site.asgi:application``."""

import os

from django.core.asgi import get_asgi_application

from mahjong_site.observability.limits import bounded

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "mahjong_site.settings")
application = bounded(get_asgi_application())
