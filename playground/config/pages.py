"""The page, and the health check that compose and the supervisor ask.

The front end is one page: its index.html answers at `/` and at every
cluster's address, and the script reads the address. The rest of the build is
static files (WhiteNoise, settings.py).
"""

from __future__ import annotations

from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.templatetags.static import static
from django.views.generic import RedirectView

from playground.common.responses import handler404

NOT_BUILT = (
    "The page has not been built yet. `./dev up` builds it; by hand: `npm ci && npm run build` in frontend/.\n"
    "The API works without it: /api/docs/\n"
)


def page(request: HttpRequest, slug: str = "") -> HttpResponse:
    index = settings.FRONTEND_DIST / "index.html"
    if not index.is_file():
        return HttpResponse(NOT_BUILT, status=503, content_type="text/plain; charset=utf-8")
    # The names of scripts change with their content, so only this file must be asked for again.
    return HttpResponse(index.read_bytes(), headers={"Cache-Control": "no-cache"})


# Browsers ask for this one at pages that are not ours: the API's documentation, the admin.
favicon = RedirectView.as_view(url=static("favicon.svg"))

# Whoever asks here is a program, whatever it accepts.
PROGRAMS = ("/api/", "/k8s/", "/static/", "/metrics")


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """A person at an address that is none gets the page, which leads on; a program gets an error it can read."""
    if request.path.startswith(PROGRAMS) or not request.accepts("text/html"):
        return handler404(request, exception)
    answer = page(request)
    answer.status_code = 404
    return answer


def healthz(request: HttpRequest) -> JsonResponse:
    """200 when the database answers; what the process cannot work without."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return JsonResponse({"status": "ok"})
