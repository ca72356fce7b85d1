"""Django settings. Everything that differs between machines comes from `environment`."""

from __future__ import annotations

import os
import sys
from typing import Any

from playground.config import environment

PROJECT = environment.PROJECT
DATA = environment.data_folder()

SECRET_KEY = environment.secret_key(DATA)
DEBUG = environment.is_set("PLAYGROUND_DEBUG")
ALLOWED_HOSTS = environment.allowed_hosts()

INSTALLED_APPS = [
    # Before staticfiles, so that `runserver` is Daphne's.
    "daphne",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "channels",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "playground.config",
    "playground.common",
    "playground.live",
    "playground.clusters",
    "playground.kubernetes_api",
    "playground.scheduling",
    "playground.controllers",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "playground.config.security.ContentSecurityPolicy",
    "playground.common.middleware.OwnOriginOnly",
    "playground.common.middleware.BoundedBody",
    "playground.common.middleware.PrintableAddress",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

ROOT_URLCONF = "playground.config.urls"
ASGI_APPLICATION = "playground.config.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

DATABASES = {"default": environment.database(DATA)}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
AUTH_PASSWORD_VALIDATORS = [{"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"}]

USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = "en"
USE_I18N = False

# Static files: the built front end at /static/, its index.html at the page's own addresses (urls.py).
STATIC_URL = "/static/"
FRONTEND_DIST = PROJECT / "frontend" / "dist"
STATICFILES_DIRS = [FRONTEND_DIST] if FRONTEND_DIST.is_dir() else []
# Served from where they lie, looked up when asked for: nothing to collect, and a new build is seen at once.
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = True
# Pages of other sites have no business with it.
WHITENOISE_ALLOW_ALL_ORIGINS = False
# Vite puts a content hash into every name under assets/.
WHITENOISE_IMMUTABLE_FILE_TEST = r"^.+/assets/.+-[\w-]{8,}\.\w+$"

# Our own web server, as workers reach it: some presets have services that it offers itself (playground.samples).
PLAYGROUND_ADDRESS = environment.own_address()
# What extenders and webhooks may be called at, beside this machine itself (playground.common.outgoing).
PLAYGROUND_OUTGOING = environment.outgoing_targets()
# Scheduler plugins in Python beside those that packages announce by entry points.
PLAYGROUND_PLUGINS = environment.plugins()

# Bodies. YAML streams may have 2 MB; what is bigger is refused before it is read.
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024

# Broker, channel layer and cache are one Valkey or Redis server.
REDIS_URL = environment.redis_url(DATA)
if REDIS_URL == environment.IN_MEMORY:
    CHANNEL_LAYERS: dict[str, Any] = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
    CACHES: dict[str, Any] = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
else:
    CHANNEL_LAYERS = {
        "default": {
            "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
            "CONFIG": {"hosts": [REDIS_URL], "prefix": "playground"},
        }
    }
    CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.redis.RedisCache",
            "LOCATION": REDIS_URL,
            "KEY_PREFIX": "playground",
        }
    }

# Celery (names are its own, in lower case, with this prefix). Tasks are sent by name with JSON arguments.
CELERY_BROKER_URL = environment.celery_broker_url(REDIS_URL)
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# No limit: a worker outlives its broker's restart.
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
# Longest time after which a message of a killed worker is delivered again. The sweeps send what is due
# long before; a small number would deliver long waits (ETA tasks) twice.
CELERY_BROKER_TRANSPORT_OPTIONS = {"visibility_timeout": 3600, "global_keyprefix": "playground:"}
CELERY_TASK_IGNORE_RESULT = True
CELERY_RESULT_BACKEND = None
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
# A task whose message may come again is left to finish: it may run twice, and threads cannot be ended.
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = False
CELERY_TASK_DEFAULT_QUEUE = "default"
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_SEND_TASK_EVENTS = False
CELERY_TIMEZONE = "UTC"

# Scheduling tasks of one cluster always go to the same of these queues, `scheduling-0`, `scheduling-1`, ...
PLAYGROUND_SCHEDULING_QUEUES = environment.positive_integer("PLAYGROUND_SCHEDULING_QUEUES", 4)
# Sent by any worker, whoever comes first (playground.config.heartbeat): task name -> seconds between.
PLAYGROUND_HEARTBEAT = {"scheduling.sweep": 2.0, "controllers.sweep": 2.0}

REST_FRAMEWORK = {
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["playground.common.bodies.JSONBodyParser"],
    "EXCEPTION_HANDLER": "playground.common.responses.drf_exception_handler",
    # Whoever reaches the server may use it: it listens on this machine only.
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_PERMISSION_CLASSES": [],
    "UNAUTHENTICATED_USER": None,
    "DEFAULT_PAGINATION_CLASS": "playground.common.pagination.BoundedPagination",
    "PAGE_SIZE": 100,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Kubernetes Scheduling Playground",
    "DESCRIPTION": (
        "What Kubernetes has no word for: clusters and their clock, the scheduling queue, decisions, "
        "what would fit. Objects themselves are read and written Kubernetes' own way under /k8s/{cluster}/."
    ),
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": r"/api/",
    # From the sidecar package, so that the docs work without the internet.
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    # Fields of one name with values of their own.
    "ENUM_NAME_OVERRIDES": {
        "ClockStateEnum": "playground.clusters.models.Cluster.ClockState",
        "ClusterStateEnum": ["running", "paused"],
        "DrainStateEnum": ["draining", "drained", "failed", "cancelled"],
        "DrainedPodStateEnum": ["waiting", "blocked", "evicted", "gone", "failed"],
    },
}

# Security. Plain http on 127.0.0.1 is the default, so nothing here forces TLS.
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
CONTENT_SECURITY_POLICY = "; ".join(
    [
        "default-src 'self'",
        "script-src 'self'",
        # The YAML editor and Swagger UI write style elements.
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data:",
        "font-src 'self' data:",
        "connect-src 'self'",
        "worker-src 'self' blob:",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    ]
)

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    # 504 is Kubernetes' answer to a client that asks for a version that is not there yet: nothing went wrong here.
    "filters": {
        "ours": {
            "()": "django.utils.log.CallbackFilter",
            "callback": lambda record: getattr(record, "status_code", 500) != 504,
        }
    },
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "stream": sys.stderr, "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": os.environ.get("PLAYGROUND_LOG_LEVEL", "WARNING").upper()},
    "loggers": {
        "playground": {"level": os.environ.get("PLAYGROUND_LOG_LEVEL", "INFO").upper()},
        "scheduler_core": {"level": os.environ.get("PLAYGROUND_LOG_LEVEL", "INFO").upper()},
        # A 4xx is the client's affair; what goes wrong here is an ERROR.
        "django.request": {"level": "ERROR", "filters": ["ours"]},
    },
}
