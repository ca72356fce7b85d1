"""matchConditions: CEL that all must be true for a hook to be called.

One that is false decides, whatever the others say. Only then an error counts:
with failurePolicy Ignore the hook is passed over, with Fail the request is
refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from playground.clusters.admission.mutation.expressions import ExpressionError, compiled


def conditions_hold(conditions: Sequence[Mapping[str, Any]], variables: Mapping[str, Any]) -> bool:
    """Raises ExpressionError where none is false and one cannot be evaluated."""
    errors: list[str] = []
    for condition in conditions:
        try:
            if not _holds(condition["expression"], variables):
                return False
        except ExpressionError as error:
            errors.append(f"expression '{condition['expression']}' resulted in error: {error}")
    if errors:
        raise ExpressionError("; ".join(errors))
    return True


def _holds(source: str, variables: Mapping[str, Any]) -> bool:
    value = compiled(source).evaluate(variables)
    if not isinstance(value, bool):
        raise ExpressionError(f"it must give a boolean, it gives {value!r}")
    return value
