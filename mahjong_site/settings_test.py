"""Settings of the test run: the real ones on a throwaway cluster, with plain static files and a cheap password hash.

`tests/conftest.py` starts the cluster and fills in where it is; whatever ``DATABASE_URL`` says is not touched.
"""

import os
from pathlib import Path

for name in ("DATABASE_URL", "DATABASE_OWNER_URL", "PAIZHANG_HTTPS", "PAIZHANG_DEBUG"):
    os.environ.pop(name, None)
os.environ["PAIZHANG_SECRET_KEY"] = "only for tests"
# Playwright's synchronous interface runs a loop in the thread of the test.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"

from mahjong_site.embedded import layout  # noqa: E402
from mahjong_site.settings import *  # noqa: E402, F403

NOWHERE = Path("/nonexistent")
DATABASES = {
    "default": {**layout.connection(NOWHERE, layout.WEB_ROLE), "OPTIONS": POOLED},  # noqa: F405
    "owner": layout.connection(NOWHERE, layout.OWNER_ROLE),
}
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = {**STORAGES, "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}  # noqa: F405
WHITENOISE_USE_FINDERS = WHITENOISE_AUTOREFRESH = True
STATIC_ROOT = Path(__file__).resolve().parent.parent / "static"  # WhiteNoise wants one that exists
ALLOWED_HOSTS = ["localhost", "127.0.0.1", "testserver"]
BATCH_PROCESSES = 1
