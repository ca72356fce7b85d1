"""PersistentVolumes and claims find each other, by hand or through a class."""

from __future__ import annotations

from typing import Any

from scheduler_core.objects.manifest import Manifest
from tests.scheduler_core.controllers.cluster import TinyCluster, node

SELECTED = "volume.kubernetes.io/selected-node"


def claim(name: str = "data", *, size: str = "1Gi", annotations: dict[str, str] | None = None, **spec: Any) -> Manifest:
    return {
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "metadata": {"name": name, "namespace": "default", "annotations": annotations or {}},
        "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": size}}, **spec},
    }


def volume(name: str, size: str = "1Gi", **spec: Any) -> Manifest:
    return {
        "apiVersion": "v1",
        "kind": "PersistentVolume",
        "metadata": {"name": name},
        "spec": {"capacity": {"storage": size}, "accessModes": ["ReadWriteOnce"], **spec},
    }


def storage_class(
    name: str, *, waits: bool = False, annotations: dict[str, str] | None = None, **fields: Any
) -> Manifest:
    return {
        "apiVersion": "storage.k8s.io/v1",
        "kind": "StorageClass",
        "metadata": {"name": name, "annotations": annotations or {}},
        "provisioner": "disks.example.com",
        "volumeBindingMode": "WaitForFirstConsumer" if waits else "Immediate",
        **fields,
    }


def settled(*manifests: Manifest) -> TinyCluster:
    cluster = TinyCluster()
    for manifest in manifests:
        cluster.store.create(manifest)
    cluster.settle()
    return cluster


def the_claim(cluster: TinyCluster, name: str = "data") -> Manifest:
    return cluster.get("PersistentVolumeClaim", name)


def the_volume(cluster: TinyCluster, name: str) -> Manifest:
    found = cluster.store.get("PersistentVolume", "", name)
    assert found is not None
    return found


def test_a_claim_takes_the_smallest_volume_that_will_do() -> None:
    cluster = settled(
        volume("big", "9Gi"), volume("right", "2Gi"), volume("small", "1Gi"), claim(size="2Gi", storageClassName="")
    )
    bound = the_claim(cluster)
    assert bound["spec"]["volumeName"] == "right"
    assert bound["metadata"]["annotations"]["pv.kubernetes.io/bind-completed"] == "yes"
    assert bound["status"]["phase"] == "Bound"
    assert bound["status"]["capacity"] == {"storage": "2Gi"}
    assert the_volume(cluster, "right")["spec"]["claimRef"]["uid"] == bound["metadata"]["uid"]
    assert the_volume(cluster, "right")["status"]["phase"] == "Bound"
    assert the_volume(cluster, "big")["status"]["phase"] == "Available"


def test_a_claim_waits_until_a_volume_comes() -> None:
    cluster = settled(claim(storageClassName=""))
    assert the_claim(cluster)["status"]["phase"] == "Pending"
    assert cluster.event_messages("FailedBinding") == [
        "no persistent volumes available for this claim and no storage class is set"
    ]
    cluster.store.create(volume("late"))
    cluster.settle()
    assert the_claim(cluster)["spec"]["volumeName"] == "late"


def test_a_volume_of_another_class_mode_or_label_is_not_taken() -> None:
    cluster = settled(
        volume("fast", storageClassName="fast"),
        volume("block", volumeMode="Block"),
        volume("shared", accessModes=["ReadWriteMany"]),
        volume("plain"),
        claim(storageClassName="", selector={"matchLabels": {"tier": "gold"}}),
    )
    assert the_claim(cluster)["status"]["phase"] == "Pending"


def test_two_claims_do_not_share_a_volume() -> None:
    cluster = settled(volume("one"), claim("a", storageClassName=""), claim("b", storageClassName=""))
    phases = [the_claim(cluster, name)["status"]["phase"] for name in "ab"]
    assert phases == ["Bound", "Pending"]


def test_a_claim_that_names_its_volume_gets_it_or_is_told_why_not() -> None:
    cluster = settled(volume("one", "1Gi"), claim("a", volumeName="one", storageClassName=""))
    assert the_claim(cluster, "a")["status"]["phase"] == "Bound"
    assert "pv.kubernetes.io/bound-by-controller" not in the_claim(cluster, "a")["metadata"]["annotations"]
    cluster = settled(volume("one", "1Gi"), claim("a", size="2Gi", volumeName="one", storageClassName=""))
    assert the_claim(cluster, "a")["status"]["phase"] == "Pending"
    assert cluster.event_messages("VolumeMismatch") == [
        'Cannot bind to requested volume "one": requested PV is too small'
    ]


def test_a_class_that_binds_at_once_has_a_volume_made() -> None:
    cluster = settled(storage_class("fast"), claim(storageClassName="fast"))
    assert the_claim(cluster)["status"]["phase"] == "Pending"
    cluster.pass_time(1.0)
    bound = the_claim(cluster)
    made = the_volume(cluster, bound["spec"]["volumeName"])
    assert made["metadata"]["name"] == f"pvc-{bound['metadata']['uid']}"
    assert made["metadata"]["annotations"]["pv.kubernetes.io/provisioned-by"] == "disks.example.com"
    assert made["spec"]["csi"]["driver"] == "disks.example.com"
    assert "nodeAffinity" not in made["spec"]
    assert bound["status"]["phase"] == "Bound"


def test_a_claim_without_a_word_gets_the_default_class() -> None:
    default = storage_class("usual", annotations={"storageclass.kubernetes.io/is-default-class": "true"})
    cluster = settled(claim())
    assert the_claim(cluster)["status"]["phase"] == "Pending"
    cluster.store.create(default)
    cluster.settle()
    cluster.pass_time(1.0)
    assert the_claim(cluster)["spec"]["storageClassName"] == "usual"
    assert the_claim(cluster)["status"]["phase"] == "Bound"


def test_h5_a_claim_that_waits_for_its_first_consumer_is_left_alone() -> None:
    cluster = settled(
        storage_class("late", waits=True), volume("free", storageClassName="late"), claim(storageClassName="late")
    )
    cluster.pass_time(60.0)
    assert the_claim(cluster)["status"]["phase"] == "Pending"
    assert cluster.event_messages("WaitForFirstConsumer") == ["waiting for first consumer to be created before binding"]


def test_a_selected_node_has_the_volume_made_where_the_driver_says() -> None:
    driver = {"name": "disks.example.com", "nodeID": "n1", "topologyKeys": ["zone"]}
    csi_node = {
        "apiVersion": "storage.k8s.io/v1",
        "kind": "CSINode",
        "metadata": {"name": "n1"},
        "spec": {"drivers": [driver]},
    }
    waiting = claim(storageClassName="late", annotations={SELECTED: "n1"})
    cluster = settled(node("n1", labels={"zone": "a"}), csi_node, storage_class("late", waits=True), waiting)
    cluster.pass_time(1.0)
    made = the_volume(cluster, the_claim(cluster)["spec"]["volumeName"])
    expressions = [{"key": "zone", "operator": "In", "values": ["a"]}]
    assert made["spec"]["nodeAffinity"]["required"]["nodeSelectorTerms"] == [{"matchExpressions": expressions}]


def test_a_volume_the_scheduler_set_aside_is_bound_to_its_claim() -> None:
    cluster = settled(
        storage_class("local", waits=True, provisioner="kubernetes.io/no-provisioner"),
        volume("disk", storageClassName="local"),
        claim(storageClassName="local"),
    )
    waiting = the_claim(cluster)
    reference = {"namespace": "default", "name": "data", "uid": waiting["metadata"]["uid"]}
    disk = the_volume(cluster, "disk")
    cluster.store.update({**disk, "spec": {**disk["spec"], "claimRef": reference}})
    cluster.settle()
    assert the_claim(cluster)["spec"]["volumeName"] == "disk"
    assert the_volume(cluster, "disk")["status"]["phase"] == "Bound"


def test_a_volume_whose_claim_is_gone_is_kept_or_removed_as_it_says() -> None:
    for policy, left in (("Retain", "Released"), ("Delete", None)):
        cluster = settled(volume("one", persistentVolumeReclaimPolicy=policy), claim(storageClassName=""))
        cluster.store.delete_many([the_claim(cluster)])
        cluster.settle()
        found = cluster.store.get("PersistentVolume", "", "one")
        assert (found and found["status"]["phase"]) == left


def test_a_claim_whose_volume_is_gone_is_lost() -> None:
    cluster = settled(volume("one"), claim(storageClassName=""))
    cluster.store.delete_many([the_volume(cluster, "one")])
    cluster.settle()
    assert the_claim(cluster)["status"]["phase"] == "Lost"
    assert cluster.event_messages("ClaimLost") == [
        "Bound claim has lost its PersistentVolume. Data on the volume is lost!"
    ]


def test_a_class_that_is_missing_or_makes_nothing_is_named() -> None:
    cluster = settled(claim(storageClassName="nope"))
    assert cluster.event_messages("ProvisioningFailed") == ['storageclass.storage.k8s.io "nope" not found']


def test_an_ephemeral_volume_has_a_claim_as_long_as_its_pod() -> None:
    template = {"metadata": {"labels": {"a": "b"}}, "spec": claim(storageClassName="")["spec"]}
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "p", "namespace": "default"},
        "spec": {"containers": [], "volumes": [{"name": "scratch", "ephemeral": {"volumeClaimTemplate": template}}]},
    }
    cluster = settled(pod)
    made = the_claim(cluster, "p-scratch")
    assert made["metadata"]["labels"] == {"a": "b"}
    assert made["metadata"]["ownerReferences"][0]["uid"] == cluster.get("Pod", "p")["metadata"]["uid"]
    cluster.store.delete_many([cluster.get("Pod", "p")])
    cluster.settle()
    assert cluster.store.get("PersistentVolumeClaim", "default", "p-scratch") is None
