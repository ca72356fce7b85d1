from __future__ import annotations

import pytest

from scheduler_core.objects.taints import Taint, Toleration, first_untolerated, tolerates

TAINT = Taint(key="k", value="v", effect="NoSchedule")

# (name, toleration, tolerates)
TABLE = [
    ("nothing given: an empty value of any key", Toleration(), False),
    ("Exists without a key", Toleration(operator="Exists"), True),
    ("Exists of another effect", Toleration(operator="Exists", effect="NoExecute"), False),
    ("Equal", Toleration(key="k", operator="Equal", value="v"), True),
    ("Equal of another value", Toleration(key="k", operator="Equal", value="w"), False),
    ("no operator means Equal", Toleration(key="k", value="v", effect="NoSchedule"), True),
    ("an operator nobody knows", Toleration(key="k", operator="Near", value="v"), False),
]


@pytest.mark.parametrize(("name", "toleration", "expected"), TABLE, ids=[row[0] for row in TABLE])
def test_tolerations(name: str, toleration: Toleration, expected: bool) -> None:
    assert tolerates(toleration, TAINT) is expected


def test_a_taint_that_only_asks_to_stay_away_rejects_nobody() -> None:
    soft = Taint(key="a", effect="PreferNoSchedule")
    assert first_untolerated([soft, TAINT], []) == TAINT
    assert first_untolerated([soft], []) is None
