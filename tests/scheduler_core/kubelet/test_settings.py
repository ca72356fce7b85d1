from typing import Any

import pytest

from scheduler_core.kubelet.settings import KubeletSettings


def test_what_is_not_given_has_a_default() -> None:
    assert KubeletSettings.decode({"pull_seconds": 0}) == KubeletSettings(pull_seconds=0)
    assert KubeletSettings.decode({"stop_seconds": None}).stop_seconds is None
    assert KubeletSettings.decode({"stop_seconds": 3}).stop_seconds == 3


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"pull": 1}, "kubelet.pull: unknown setting; there are job_seconds"),
        ({"pull_seconds": "2"}, "kubelet.pull_seconds: must be a number of seconds, got '2'"),
        ({"pull_seconds": True}, "kubelet.pull_seconds: must be a number"),
        ({"start_seconds": -1}, "kubelet.start_seconds: must be between 0 and 86400 seconds, got -1"),
        ({"start_seconds": float("nan")}, "kubelet.start_seconds: must be a number"),
        ({"job_seconds": None}, "kubelet.job_seconds: must be a number"),
    ],
)
def test_wrong_ones_are_named(values: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message.split("[")[0]):
        KubeletSettings.decode(values)
