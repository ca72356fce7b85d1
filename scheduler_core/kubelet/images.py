"""Images on a node: which are there, and what a pull adds to `status.images`.

Nobody pulls anything here, so an image's size is made up from its name: the
same image is as large on every node and in every run, between that of a small
static binary and that of a language runtime.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

from scheduler_core.objects.manifest import Manifest

MEBIBYTE = 1024 * 1024
SMALLEST, LARGEST = 8 * MEBIBYTE, 320 * MEBIBYTE
# As many as a kubelet reports; the largest are kept.
MOST_REPORTED = 50


def normalized(image: str) -> str:
    """With `:latest` where there is neither tag nor digest, as nodes report it."""
    return image if image.rfind(":") > image.rfind("/") else f"{image}:latest"


def digest_of(image: str) -> str:
    return hashlib.sha256(normalized(image).encode()).hexdigest()


def size_of(image: str) -> int:
    return SMALLEST + int(digest_of(image)[:12], 16) % (LARGEST - SMALLEST)


def on_node(node: Manifest) -> set[str]:
    """Every name of every image the node has."""
    images = (node.get("status") or {}).get("images") or ()
    return {name for image in images for name in image.get("names") or ()}


def missing(pod: Manifest, node: Manifest) -> list[str]:
    """The pod's images that must be pulled, each once."""
    present = on_node(node)
    spec = pod["spec"]
    containers = [*(spec.get("initContainers") or ()), *spec["containers"]]
    images = dict.fromkeys(container.get("image") or "" for container in containers)
    return [image for image in images if image and normalized(image) not in present]


def with_images(node: Manifest, pulled: Iterable[str]) -> list[Manifest]:
    """The node's `status.images` after these were pulled, largest first."""
    present = on_node(node)
    images: Sequence[Manifest] = (node.get("status") or {}).get("images") or ()
    new = [
        {"names": [name], "sizeBytes": size_of(name)}
        for name in dict.fromkeys(map(normalized, pulled))
        if name not in present
    ]
    return sorted([*images, *new], key=lambda image: -int(image.get("sizeBytes") or 0))[:MOST_REPORTED]
