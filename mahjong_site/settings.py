"""Settings. Everything a host may change comes from the environment; the README lists the variables.

Without ``DATABASE_URL`` the database is the embedded PostgreSQL of `mahjong_site.embedded`, reached through a unix
socket. Two aliases lead to one database: ``default`` is the web role, which owns no table, and ``owner`` is the role
that owns them and runs migrations. Where a managed server is named without ``DATABASE_OWNER_URL`` there is only
``default``.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import environ
from csp.constants import NONE, SELF

from mahjong_site.embedded import layout, secrets

BASE_DIR = Path(__file__).resolve().parent.parent
env = environ.Env()

DATA_DIR = layout.data_folder()
DEBUG = env.bool("PAIZHANG_DEBUG", False)
SECRET_KEY = env.str("PAIZHANG_SECRET_KEY", "") or secrets.kept(DATA_DIR / "secret_key")
ALLOWED_HOSTS = env.list("PAIZHANG_ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("PAIZHANG_TRUSTED_ORIGINS", default=[])

INSTALLED_APPS = [
    "mahjong_site",
    "mahjong_site.limits",
    "mahjong_site.clubs",
    "mahjong_site.ledger",
    "mahjong_site.calculator",
    "mahjong_site.analysis",
    "mahjong_site.table",
    "mahjong_site.accounts",
    "mahjong_site.clubhouse",
    "mahjong_site.api",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django_htmx",
    "allauth",
    "allauth.account",
    "axes",
    "rest_framework",
    "knox",
    "drf_spectacular",
    "drf_spectacular_sidecar",
]
MIDDLEWARE = [
    "mahjong_site.observability.middleware.Observed",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "axes.middleware.AxesMiddleware",
]
ROOT_URLCONF = "mahjong_site.urls"
ASGI_APPLICATION = "mahjong_site.asgi.application"
WSGI_APPLICATION = "mahjong_site.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

# Database. Under ASGI every request would otherwise open its own connection; the pool bounds them.
POOLED = {"pool": {"min_size": 2, "max_size": 20, "timeout": 10}}


def databases() -> dict[str, dict[str, Any]]:
    """The alias table: ``default`` (the web role) and, where there are two roles, ``owner``."""
    if not env.str("DATABASE_URL", ""):
        socket = layout.socket_folder(DATA_DIR)
        web, owner = layout.connection(socket, layout.WEB_ROLE), layout.connection(socket, layout.OWNER_ROLE)
        return {"default": {**web, "OPTIONS": POOLED}, "owner": owner}
    web = env.db_url("DATABASE_URL", engine="django.db.backends.postgresql")
    web = {**web, "OPTIONS": {**web.get("OPTIONS", {}), **POOLED}, "CONN_MAX_AGE": 0}
    if not env.str("DATABASE_OWNER_URL", ""):
        return {"default": web}
    return {"default": web, "owner": env.db_url("DATABASE_OWNER_URL", engine="django.db.backends.postgresql")}


DATABASES = databases()
# Counted in the database and not in the process, so that several processes share one limit.
CACHES = {"default": {"BACKEND": "django.core.cache.backends.db.DatabaseCache", "LOCATION": "cache"}}

# Languages: Chinese first. The texts in the code are English, the catalogue `zh_Hans` has the Chinese ones.
LANGUAGE_CODE = "zh-hans"
LANGUAGES = [("zh-hans", "简体中文"), ("en", "English")]
LOCALE_PATHS = [BASE_DIR / "mahjong_site" / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "Asia/Shanghai"

STATIC_URL = "static/"
STATIC_ROOT = BASE_DIR / ".staticfiles"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}

# Security. `PAIZHANG_HTTPS=true` belongs behind a proxy that speaks TLS; see the README.
HTTPS = env.bool("PAIZHANG_HTTPS", False)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SESSION_COOKIE_HTTPONLY = True
CSRF_COOKIE_HTTPONLY = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
DATA_UPLOAD_MAX_MEMORY_SIZE = 2_621_440

# Accounts: a name and a password; no mail server is needed.
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_LOGOUT_REDIRECT_URL = "/"
EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
AXES_FAILURE_LIMIT = 10
AXES_COOLOFF_TIME = 1  # hours
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_USERNAME_CALLABLE = "mahjong_site.accounts.lockout.username"
AXES_LOCKOUT_TEMPLATE = "429.html"
AXES_ENABLE_ADMIN = False
# One account from one address is axes' business; this is for one address and many accounts.
ACCOUNT_RATE_LIMITS = {"login_failed": "30/m/ip"}

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "mahjong_site.accounts.authentication.AccountToken",
        "mahjong_site.accounts.authentication.GuestLink",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "mahjong_site.api.problems.answer_to",
}
KNOX_TOKEN_MODEL = "accounts.ApiToken"
SPECTACULAR_SETTINGS = {
    "TITLE": "牌账 API",
    "VERSION": "1",
    "OAS_VERSION": "3.1.1",
    "SCHEMA_PATH_PREFIX": "/api/v1/",
    "POSTPROCESSING_HOOKS": ["mahjong_site.api.schema.add_components"],
}
# What one token, account or address may ask of the API, of the analysis page, and of pages that open or join a table or
# make a club;
# `PAIZHANG_API_RATES` changes some, as "score=600/min,read=…".
API_RATES = {
    "score": "20000/min",
    "batch": "240/min",
    "analyze": "6000/min",
    "detours": "240/min",  # an analysis that may take a second or two
    "engine": "6000/min",
    "read": "6000/min",
    "write": "6000/min",
    "join": "60/min",
    "table": "60/min",
    "streams": "60/min",
    **env.dict("PAIZHANG_API_RATES", default={}),
}

# How many processes settle batches and work out expected values for one web process.
BATCH_PROCESSES = max(1, env.int("PAIZHANG_BATCH_PROCESSES", os.cpu_count() or 1))

METRICS_TOKEN = env.str("PAIZHANG_METRICS_TOKEN", "")

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"},
        "json": {"()": "mahjong_site.observability.logs.JSONLines"},
    },
    "filters": {"no_secrets": {"()": "mahjong_site.observability.logs.NoSecrets"}},
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "filters": ["no_secrets"],
            "formatter": env.str("PAIZHANG_LOG_FORMAT", "line"),
        },
    },
    "root": {"handlers": ["console"], "level": env.str("PAIZHANG_LOG_LEVEL", "INFO")},
    "loggers": {
        # Django's own would print each warning a second time.
        "django": {"handlers": [], "propagate": True},
        "django.server": {"handlers": [], "propagate": True},
        "axes": {"level": "WARNING"},
        "uvicorn.access": {"level": "WARNING"},
        # A line a request: for a log that is read by programs.
        "paizhang.requests": {"level": "INFO" if env.str("PAIZHANG_LOG_FORMAT", "line") == "json" else "WARNING"},
    },
}
