"""The ASGI application: HTTP to Django, WebSockets to the live consumers, both from own origins only."""

from __future__ import annotations

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "playground.config.settings")

# Loads the apps; what follows imports their modules.
http = get_asgi_application()

from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402

from playground.common.garbage import collect_less_often  # noqa: E402
from playground.common.middleware import OwnOriginSockets  # noqa: E402
from playground.live.routing import websocket_urlpatterns  # noqa: E402

sockets = OwnOriginSockets(URLRouter(websocket_urlpatterns))
application = ProtocolTypeRouter({"http": http, "websocket": sockets})

collect_less_often()
