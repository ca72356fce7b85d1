"""Answers of webhooks, at hand for a transaction that may not wait for them.

A `WebhookCall` is one question: which webhook, about which object. Its `key` is
a digest of both, so an answer is never taken for another question's. Answers
are kept in `Verdicts`; a transaction takes them through a `Reading`, each once:
three pods of one template are three calls, as a webhook that counts expects.

    verdicts = Verdicts()
    reading = verdicts.reading()          one for each transaction
    reading.verdict(call)                 the answer, or Unanswered, and the call is in reading.missing
    verdicts.used(reading)                after the commit: what was taken is gone
"""

from __future__ import annotations

import hashlib
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import msgspec

# An answer nobody came for is not true for longer than this (seconds): as long as a full batch of the slowest takes.
KEPT_SECONDS = 300.0
# Questions one write may have open.
MOST_MISSING = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookCall:
    """One question to one webhook."""

    key: str
    # The webhook's entry in its configuration.
    webhook: Mapping[str, Any]
    # The request of the AdmissionReview, without its uid, as JSON: the object goes on changing.
    request: bytes

    @property
    def name(self) -> str:
        return str(self.webhook["name"])


def webhook_call(webhook: Mapping[str, Any], request: Mapping[str, Any]) -> WebhookCall:
    encoded = msgspec.json.encode(request, order="sorted")
    digest = hashlib.blake2b(encoded, digest_size=16, key=_digest(webhook))
    return WebhookCall(key=digest.hexdigest(), webhook=webhook, request=encoded)


def _digest(webhook: Mapping[str, Any]) -> bytes:
    return hashlib.blake2b(msgspec.json.encode(webhook, order="sorted"), digest_size=16).digest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What came of a call."""

    # Why there is no usable answer; "" where there is one. failurePolicy says what that means.
    failure: str = ""
    allowed: bool = True
    # The Status of a refusal.
    status: Mapping[str, Any] | None = None
    # A JSON patch, decoded; empty: the object stays as it is.
    patch: tuple[Any, ...] = ()
    warnings: tuple[str, ...] = ()


class Unanswered(Exception):
    """A webhook has to be asked first; the transaction's Reading knows which."""


class Verdicts:
    """Answers that have come; any thread may add some."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        # key -> (time.monotonic() of the answer, answer), oldest first.
        self._answers: defaultdict[str, list[tuple[float, Verdict]]] = defaultdict(list)

    def add(self, call: WebhookCall, verdict: Verdict) -> None:
        with self._lock:
            self._answers[call.key].append((time.monotonic(), verdict))

    def reading(self) -> Reading:
        with self._lock:
            self._forget_old()
            return Reading({key: [verdict for _, verdict in kept] for key, kept in self._answers.items()})

    def used(self, reading: Reading) -> None:
        """What a committed transaction has taken serves no other."""
        with self._lock:
            for key, count in reading.taken.items():
                del self._answers[key][:count]
                if not self._answers[key]:
                    del self._answers[key]

    def keep_only(self, reading: Reading) -> None:
        """What a reading has not taken answers a question that nobody asks any more."""
        with self._lock:
            for key in list(self._answers):
                del self._answers[key][reading.taken[key] :]

    def _forget_old(self) -> None:
        oldest = time.monotonic() - KEPT_SECONDS
        for key in list(self._answers):
            self._answers[key] = [kept for kept in self._answers[key] if kept[0] >= oldest]
            if not self._answers[key]:
                del self._answers[key]


class Reading:
    """The answers as one transaction sees them."""

    def __init__(self, answers: Mapping[str, list[Verdict]]) -> None:
        self._answers = answers
        # How many answers of each key are taken.
        self.taken: Counter[str] = Counter()
        self.missing: list[WebhookCall] = []

    def verdict(self, call: WebhookCall) -> Verdict:
        """Raises Unanswered."""
        answers = self._answers.get(call.key, ())
        taken = self.taken[call.key]
        if taken >= len(answers):
            if len(self.missing) < MOST_MISSING:
                self.missing.append(call)
            raise Unanswered(call.name)
        self.taken[call.key] += 1
        return answers[taken]

    @contextmanager
    def attempt(self) -> Iterator[None]:
        """What is taken inside is given back where the block raises."""
        taken = Counter(self.taken)
        try:
            yield
        except Exception:
            self.taken = taken
            raise
