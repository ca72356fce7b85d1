from __future__ import annotations

from scheduler_core.objects.pod_info import HostPort
from scheduler_core.testing import PodBuilder, make_pod


def web(name: str) -> PodBuilder:
    return make_pod(name).labels(app="web").requests(cpu="1")


def test_replicas_are_of_one_class() -> None:
    one, other = web("web-1").priority(5).pod_info(), web("web-2").priority(7).gate("wait").pod_info()
    assert one.class_key == other.class_key
    assert one.label_key == other.label_key


def test_what_a_plugin_looks_at_makes_another_class() -> None:
    one = web("web-1").pod_info()
    assert one.class_key != web("web-1").labels(tier="x").pod_info().class_key
    assert one.class_key != web("web-1").requests(cpu="2").pod_info().class_key
    assert one.class_key != web("web-1").toleration(operator="Exists").pod_info().class_key
    assert one.class_key != make_pod("web-1", "other").labels(app="web").requests(cpu="1").pod_info().class_key


def test_the_controller_makes_another_class() -> None:
    owned = web("web-1")
    owner = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "web", "uid": "u", "controller": True}
    owned.manifest["metadata"]["ownerReferences"] = [owner]
    assert owned.pod_info().class_key != web("web-1").pod_info().class_key


def test_host_ports_of_containers_and_sidecars_count_once() -> None:
    pod = make_pod("p").host_port(80).container("b", ports=[{"containerPort": 80, "hostPort": 80}])
    ports = [{"containerPort": 53, "hostPort": 53, "protocol": "UDP", "hostIP": "10.0.0.1"}, {"containerPort": 9}]
    pod.init_container("sidecar", restartPolicy="Always", ports=ports)
    pod.init_container("setup", ports=[{"containerPort": 1, "hostPort": 1}])
    assert pod.pod_info().host_ports == (HostPort("0.0.0.0", "TCP", 80), HostPort("10.0.0.1", "UDP", 53))


def test_a_pod_that_was_never_stored_is_known_by_its_name() -> None:
    pod = make_pod("p")
    del pod.manifest["metadata"]["uid"]
    assert pod.pod_info().uid == "default/p"


def test_a_term_without_namespaces_is_about_the_own_one() -> None:
    term = {"topologyKey": "zone", "labelSelector": {}}
    affinity = {"requiredDuringSchedulingIgnoredDuringExecution": [term, term | {"namespaceSelector": {}}]}
    own, every = make_pod("p", "red").affinity(podAffinity=affinity).pod_info().required_affinity_terms
    assert own.matches("red", {}, {})
    assert not own.matches("blue", {}, {})
    assert every.matches("blue", {}, {})


def test_an_ephemeral_volume_has_a_claim_named_for_pod_and_volume() -> None:
    volumes = [{"name": "data", "persistentVolumeClaim": {"claimName": "c"}}, {"name": "tmp", "ephemeral": {}}]
    pod = make_pod("p").spec(volumes=[*volumes, {"name": "config", "configMap": {}}]).pod_info()
    assert pod.claim_names == ("c", "p-tmp")
    assert pod.has_volumes
    assert not make_pod("q").spec(volumes=[{"name": "config", "configMap": {}}]).pod_info().has_volumes
