"""Pages of a list: `?limit=` and `?offset=`, never larger than a database can count."""

from __future__ import annotations

from rest_framework.pagination import LimitOffsetPagination
from rest_framework.request import Request

# Beyond the end of any list, and still a number for the database.
FARTHEST = 2**31


class BoundedPagination(LimitOffsetPagination):
    max_limit = 1_000

    def get_offset(self, request: Request) -> int:
        return min(super().get_offset(request), FARTHEST)
