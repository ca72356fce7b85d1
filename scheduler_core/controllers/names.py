"""Names that controllers make up: `web-6c5f4c9d8b-x2v4q`.

Kubernetes writes generated text in an alphabet without vowels and look-alikes,
so that no word comes out by chance. Suffixes are drawn from a generator that is
handed in; a template's hash depends on the template alone, so that the same
template finds its ReplicaSet again.
"""

from __future__ import annotations

import json
from random import Random

from scheduler_core.objects.manifest import Manifest

ALPHABET = "bcdfghjklmnpqrstvwxz2456789"
SUFFIX_LENGTH = 5
# Names are DNS labels; a longer base is cut before the suffix is added.
MAX_BASE_LENGTH = 63 - SUFFIX_LENGTH

_FNV_OFFSET = 0x811C9DC5
_FNV_PRIME = 0x01000193


def generated_name(base: str, generator: Random) -> str:
    return base[:MAX_BASE_LENGTH] + "".join(generator.choices(ALPHABET, k=SUFFIX_LENGTH))


def fnv1a(data: bytes) -> int:
    value = _FNV_OFFSET
    for byte in data:
        value = ((value ^ byte) * _FNV_PRIME) & 0xFFFFFFFF
    return value


def template_hash(template: Manifest, collisions: int = 0) -> str:
    """A short name for a pod template; `collisions` gives another one where two templates clash."""
    canonical = json.dumps(template, sort_keys=True, separators=(",", ":"))
    digest = fnv1a(f"{canonical}{collisions or ''}".encode())
    return "".join(ALPHABET[ord(digit) % len(ALPHABET)] for digit in str(digest))
