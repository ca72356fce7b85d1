"""A scheduler extender that has no objection, and takes its time to say so. Waiting costs no thread."""

from __future__ import annotations

import asyncio
from typing import Any

from django.http import HttpRequest, JsonResponse
from django.http.response import HttpResponseBase
from django.views.decorators.csrf import csrf_exempt

from playground.common.bodies import decode_json
from playground.common.errors import BadRequest
from playground.common.responses import api_error_of, error_response

# Longer than the preset gives it.
SECONDS = 3.0
# Requests that are kept waiting at a time; more are answered at once.
MOST_WAITING = 16

_waiting = 0


@csrf_exempt
async def slow_filter(request: HttpRequest) -> HttpResponseBase:
    await _wait()
    try:
        return JsonResponse(_passed(decode_json(request.body)))
    except Exception as error:  # noqa: BLE001  (the last line: told, logged where it is a bug)
        return error_response(request, api_error_of(error))


async def _wait() -> None:
    global _waiting
    if _waiting >= MOST_WAITING:
        return
    _waiting += 1
    try:
        await asyncio.sleep(SECONDS)
    finally:
        _waiting -= 1


def _passed(args: Any) -> dict[str, Any]:
    if not isinstance(args, dict):
        raise BadRequest("the body should be ExtenderArgs")
    return {"Nodes": args.get("Nodes"), "NodeNames": args.get("NodeNames")}
