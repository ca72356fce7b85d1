"""The stand-in for every storage driver: a volume for any claim of a class that can provision.

A driver tells by its CSINode which labels of a node say where a volume of it can
be used. Classes that restrict their topologies name such labels too, and a few
drivers are known to keep volumes on the node's own disk.
"""

from __future__ import annotations

from collections.abc import Iterable

from scheduler_core.controllers.interface import Store
from scheduler_core.controllers.volumes.binding import claim_reference, spec_of
from scheduler_core.objects.manifest import Manifest, labels_of, uid_of

NO_PROVISIONER = "kubernetes.io/no-provisioner"
PROVISIONED_BY = "pv.kubernetes.io/provisioned-by"
HOSTNAME = "kubernetes.io/hostname"
# Drivers whose volumes never leave the node they were made on.
LOCAL_DRIVERS = frozenset({"rancher.io/local-path", "openebs.io/local", "local.csi.openebs.io", "topolvm.io"})


def provisioned_volume(claim: Manifest, storage_class: Manifest, node: Manifest | None, store: Store) -> Manifest:
    """A new volume for the claim, usable where `node` is; None: where the class says."""
    driver, name, wanted = storage_class["provisioner"], f"pvc-{uid_of(claim)}", spec_of(claim)
    spec: Manifest = {
        "capacity": {"storage": wanted["resources"]["requests"]["storage"]},
        "accessModes": list(wanted["accessModes"]),
        "volumeMode": wanted.get("volumeMode") or "Filesystem",
        "storageClassName": storage_class["metadata"]["name"],
        "persistentVolumeReclaimPolicy": storage_class.get("reclaimPolicy") or "Delete",
        "claimRef": claim_reference(claim),
        "csi": {"driver": driver, "volumeHandle": name},
    }
    terms = _terms_of_node(node, storage_class, store) if node is not None else _terms_of_class(storage_class)
    if terms:
        spec["nodeAffinity"] = {"required": {"nodeSelectorTerms": terms}}
    metadata = {"name": name, "annotations": {PROVISIONED_BY: driver}}
    return {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": metadata, "spec": spec}


def _terms_of_node(node: Manifest, storage_class: Manifest, store: Store) -> list[Manifest]:
    labels = labels_of(node)
    keys = [key for key in _topology_keys(node, storage_class, store) if key in labels]
    return [_term((key, [labels[key]]) for key in keys)] if keys else []


def _topology_keys(node: Manifest, storage_class: Manifest, store: Store) -> list[str]:
    driver = storage_class["provisioner"]
    told = store.get("CSINode", "", node["metadata"]["name"]) or {}
    for each in spec_of(told).get("drivers") or ():
        if each.get("name") == driver and each.get("topologyKeys"):
            return list(each["topologyKeys"])
    terms = storage_class.get("allowedTopologies") or ()
    keys = {each["key"]: None for term in terms for each in term.get("matchLabelExpressions") or ()}
    return list(keys) or ([HOSTNAME] if driver in LOCAL_DRIVERS else [])


def _terms_of_class(storage_class: Manifest) -> list[Manifest]:
    terms = (term.get("matchLabelExpressions") for term in storage_class.get("allowedTopologies") or ())
    return [_term((each["key"], each["values"]) for each in expressions) for expressions in terms if expressions]


def _term(expressions: Iterable[tuple[str, list[str]]]) -> Manifest:
    return {"matchExpressions": [{"key": key, "operator": "In", "values": list(values)} for key, values in expressions]}
