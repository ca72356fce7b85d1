"""`Warning` headers: what a client is told though its request succeeds, as kubectl shows it.

Handlers note them on the request, the door puts them on the response.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.http import HttpRequest
from django.http.response import HttpResponseBase

_KEY = "playground.warnings"
# Of all of them together, as in Kubernetes.
MOST_CHARACTERS = 4 * 1024


def note_warnings(request: HttpRequest, warnings: Sequence[str]) -> None:
    request.META.setdefault(_KEY, []).extend(warnings)


def add_warnings(request: HttpRequest, response: HttpResponseBase) -> None:
    """Each once; one header, since Django keeps one value a name."""
    texts = dict.fromkeys(request.META.get(_KEY, ()))
    values: list[str] = []
    left = MOST_CHARACTERS
    for text in texts:
        left -= len(text)
        if left < 0:
            break
        values.append(f"299 - {_quoted(text)}")
    if values:
        response["Warning"] = ", ".join(values)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
