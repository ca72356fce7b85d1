"""What the samples have in common: a JSON body in, a JSON body out, errors as the server's."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, JsonResponse
from django.http.response import HttpResponseBase
from django.views.decorators.csrf import csrf_exempt

from playground.common.bodies import decode_json, read_body
from playground.common.errors import BadRequest, MethodNotAllowed
from playground.common.responses import api_error_of, error_response

Json = dict[str, Any]


def json_endpoint(answer: Callable[..., Any]) -> Callable[..., HttpResponseBase]:
    """A view of a function from the posted object (and the address's parts) to the answer."""

    @csrf_exempt
    @wraps(answer)
    def view(request: HttpRequest, **parts: str) -> HttpResponseBase:
        try:
            return JsonResponse(answer(_posted(request), **parts), safe=False)
        except Exception as error:  # noqa: BLE001  (the last line: told, logged where it is a bug)
            return error_response(request, api_error_of(error))

    return view


def _posted(request: HttpRequest) -> Json:
    if request.method != "POST":
        raise MethodNotAllowed("this is called with POST")
    body = decode_json(read_body(request))
    if not isinstance(body, dict):
        raise BadRequest("the body must be an object")
    return body
