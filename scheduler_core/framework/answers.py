"""What a plugin answered, looked at before it is believed.

The engine's own plugins are tested to answer in the right shape, and are not
looked at again. A plugin of somebody's own may answer anything: `None`, an array
of another length, floats, a code that points nowhere. Found here, it is the
error of one pod's cycle and names the plugin and what was wrong with its answer;
found later, it would be an exception in the middle of the scheduler.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from scheduler_core.framework.interface import IntArray, PermitResult, PostFilterResult, PreFilterResult, Verdicts
from scheduler_core.framework.status import Code, Status, plain

_LONGEST_SHOWN = 80
_MOST_REASONS = 100


class WrongAnswer(TypeError):
    """A plugin's answer that cannot be used; the text says what was expected."""


def status_answer(answer: object) -> Status:
    """A Status whose words can be stored and shown. Raises WrongAnswer."""
    if not isinstance(answer, Status):
        raise WrongAnswer(f"answered {_shown(answer)}, expected a Status")
    if not answer.reasons and isinstance(answer.code, Code) and isinstance(answer.reasons, tuple):
        return answer
    reasons = answer.reasons
    if not (isinstance(answer.code, Code) and isinstance(reasons, tuple) and isinstance(answer.plugin, str)):
        raise WrongAnswer(f"answered {_shown(answer)}, expected a Status with a Code and a tuple of reasons")
    if not all(isinstance(reason, str) for reason in reasons):
        raise WrongAnswer(f"answered {_shown(answer)}, expected reasons that are texts")
    told = tuple(map(plain, reasons[:_MOST_REASONS]))
    return answer if told == reasons else Status(answer.code, told, answer.plugin)


def pre_filter_answer(answer: object) -> PreFilterResult:
    if not (isinstance(answer, PreFilterResult) and isinstance(answer.status, Status)):
        raise WrongAnswer(f"answered {_shown(answer)}, expected a PreFilterResult with a Status")
    status = status_answer(answer.status)
    if answer.node_names is not None and not isinstance(answer.node_names, frozenset):
        raise WrongAnswer(f"answered node names as {_shown(answer.node_names)}, expected a frozenset or None")
    return answer if status is answer.status else PreFilterResult(status, answer.node_names)


def post_filter_answer(answer: object) -> PostFilterResult:
    if not (isinstance(answer, PostFilterResult) and isinstance(answer.status, Status)):
        raise WrongAnswer(f"answered {_shown(answer)}, expected a PostFilterResult with a Status")
    if not isinstance(answer.nominated_node_name, str | None):
        raise WrongAnswer(f"answered the node {_shown(answer.nominated_node_name)}, expected its name or None")
    return answer._replace(status=status_answer(answer.status))


def permit_answer(answer: object) -> PermitResult:
    if not (isinstance(answer, PermitResult) and isinstance(answer.status, Status)):
        raise WrongAnswer(f"answered {_shown(answer)}, expected a PermitResult with a Status")
    if not (isinstance(answer.timeout, int | float) and answer.timeout >= 0):
        raise WrongAnswer(f"answered the timeout {_shown(answer.timeout)}, expected seconds, not negative")
    return PermitResult(status_answer(answer.status), answer.timeout)


def filter_answer(answer: object, count: int) -> Verdicts:
    """Verdicts about `count` nodes."""
    if not isinstance(answer, Verdicts):
        raise WrongAnswer(f"answered {_shown(answer)}, expected Verdicts")
    codes = answer.codes
    if codes is None:
        return answer
    _check_array("codes", codes, count)
    known = len(answer.statuses)
    if count and not 0 <= int(codes.min()) <= int(codes.max()) <= known:
        wrong = codes[(codes < 0) | (codes > known)][0]
        raise WrongAnswer(f"answered the code {wrong}, but it gave {known} statuses: codes go from 0 to {known}")
    # As wide as the runtime's own codes, which it is merged into.
    return Verdicts(codes.astype(np.int16, copy=False), tuple(map(status_answer, answer.statuses)))


def score_answer(answer: object, count: int) -> IntArray:
    """Scores of `count` nodes."""
    scores: IntArray = _check_array("scores", answer, count)
    return scores if scores.dtype == np.int64 else scores.astype(np.int64)


def _check_array(what: str, answer: Any, count: int) -> Any:
    if not isinstance(answer, np.ndarray):
        raise WrongAnswer(f"answered {what} as {_shown(answer)}, expected a NumPy array of shape ({count},)")
    if answer.shape != (count,):
        raise WrongAnswer(
            f"answered {what} of shape {answer.shape}, expected ({count},), one for each node asked about"
        )
    if not np.issubdtype(answer.dtype, np.integer):
        raise WrongAnswer(f"answered {what} of type {answer.dtype}, expected whole numbers (int64)")
    return answer


def _shown(answer: object) -> str:
    try:
        text = repr(answer)
    except Exception:  # noqa: BLE001 somebody's own class may do anything
        text = "something that cannot be printed"
    shown = text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}..."
    return f"{shown} ({type(answer).__name__})" if answer is not None else "None"
