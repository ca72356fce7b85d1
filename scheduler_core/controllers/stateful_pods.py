"""A StatefulSet's pods and claims: named by ordinal, the same again after each replacement."""

from __future__ import annotations

from collections.abc import Iterable

from scheduler_core.controllers.pod_template import pod_from_template, with_pod_labels
from scheduler_core.objects.manifest import Manifest, labels_of, owner_reference

REVISION_HASH = "controller-revision-hash"
POD_NAME = "statefulset.kubernetes.io/pod-name"
POD_INDEX = "apps.kubernetes.io/pod-index"


def first_ordinal(stateful_set: Manifest) -> int:
    return int((stateful_set["spec"].get("ordinals") or {}).get("start") or 0)


def ordinal_of(stateful_set: Manifest, pod: Manifest) -> int | None:
    """None for a pod whose name is not one of the set's."""
    prefix, _, number = pod["metadata"]["name"].rpartition("-")
    is_ours = prefix == stateful_set["metadata"]["name"] and number.isascii() and number.isdigit()
    return int(number) if is_ours else None


def revision_of(pod: Manifest) -> str:
    return labels_of(pod).get(REVISION_HASH, "")


def revision(stateful_set: Manifest, name: str, number: int) -> Manifest:
    """The record of a template: pods below an update's partition are made of an old one."""
    return {
        "apiVersion": "apps/v1",
        "kind": "ControllerRevision",
        "metadata": {
            "name": name,
            "namespace": stateful_set["metadata"]["namespace"],
            "labels": {**(stateful_set["spec"]["template"].get("metadata") or {}).get("labels", {})},
            "ownerReferences": [owner_reference(stateful_set)],
        },
        "revision": number,
        "data": {"spec": {"template": stateful_set["spec"]["template"]}},
    }


def claim_name(template: Manifest, pod_name: str) -> str:
    return f"{template['metadata']['name']}-{pod_name}"


def stateful_pod(stateful_set: Manifest, template: Manifest, revision_name: str, ordinal: int) -> Manifest:
    name = f"{stateful_set['metadata']['name']}-{ordinal}"
    owner = {**stateful_set, "spec": {**stateful_set["spec"], "template": template}}
    pod = pod_from_template(owner, name=name)
    pod = with_pod_labels(pod, **{REVISION_HASH: revision_name, POD_NAME: name, POD_INDEX: str(ordinal)})
    spec = {**pod["spec"], "hostname": name}
    if stateful_set["spec"].get("serviceName"):
        spec["subdomain"] = stateful_set["spec"]["serviceName"]
    volumes = _with_claims(spec.get("volumes") or (), stateful_set, name)
    return {**pod, "spec": {**spec, "volumes": volumes} if volumes else spec}


def _with_claims(volumes: Iterable[Manifest], stateful_set: Manifest, pod_name: str) -> list[Manifest]:
    templates = stateful_set["spec"].get("volumeClaimTemplates") or ()
    claimed = {
        each["metadata"]["name"]: {
            "name": each["metadata"]["name"],
            "persistentVolumeClaim": {"claimName": claim_name(each, pod_name)},
        }
        for each in templates
    }
    return [*claimed.values(), *(volume for volume in volumes if volume["name"] not in claimed)]


def claims(stateful_set: Manifest, pod_name: str) -> list[Manifest]:
    """The PersistentVolumeClaims of one pod."""
    labels = (stateful_set["spec"].get("selector") or {}).get("matchLabels") or {}
    return [
        {
            "apiVersion": "v1",
            "kind": "PersistentVolumeClaim",
            "metadata": {
                **{field: each["metadata"][field] for field in ("annotations",) if each["metadata"].get(field)},
                "name": claim_name(each, pod_name),
                "namespace": stateful_set["metadata"]["namespace"],
                "labels": {**(each["metadata"].get("labels") or {}), **labels},
            },
            "spec": each["spec"],
        }
        for each in stateful_set["spec"].get("volumeClaimTemplates") or ()
    ]
