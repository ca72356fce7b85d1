from __future__ import annotations

import json

from scheduler_core.cache.manifests import Manifests
from scheduler_core.testing import make_node, make_pod


def test_an_object_is_sent_with_what_the_engine_does_not_read() -> None:
    manifests = Manifests()
    pod = make_pod("web").spec(hostname="here")
    manifests.put(pod.build())
    assert json.loads(manifests.pod(pod.pod_info()))["spec"]["hostname"] == "here"


def test_an_object_that_was_not_fed_is_sent_as_far_as_it_is_known() -> None:
    node = json.loads(Manifests().node(make_node("n1").cpu("2").node()))
    assert node["metadata"]["name"] == "n1"
    assert node["status"]["allocatable"]["cpu"] == "2"


def test_what_is_gone_takes_no_room_and_other_kinds_never_did() -> None:
    manifests = Manifests()
    manifests.put(make_pod("web").build())
    manifests.put({"kind": "Service", "metadata": {"name": "web"}})
    assert len(manifests) == 1
    manifests.remove(make_pod("web").build())
    assert len(manifests) == 0
