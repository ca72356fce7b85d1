"""Webhooks: the question an object makes (AdmissionReview), and what an answer does to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from playground.clusters.admission.mutation.conditions import conditions_hold
from playground.clusters.admission.mutation.expressions import ExpressionError
from playground.clusters.admission.mutation.hooks import Webhook
from playground.clusters.admission.mutation.matching import any_rule_matches, selectors_match
from playground.clusters.admission.mutation.patched import Broken, read_patched
from playground.clusters.admission.mutation.refusals import (
    WebhookFailed,
    conditions_failed,
    dry_run_unsupported,
    webhook_denied,
    webhook_failed,
)
from playground.clusters.admission.mutation.reinvocation import Reinvocation
from playground.clusters.admission.mutation.request import AdmissionRequest, Manifest
from playground.clusters.admission.mutation.verdicts import Reading, Verdict, webhook_call
from playground.clusters.patches import json_patch
from playground.common.errors import ApiError

WITHOUT_SIDE_EFFECTS = frozenset({"None", "NoneOnDryRun"})


class WebhookRound:
    """All webhooks, one after the other, each seeing what the one before made of the object."""

    def __init__(
        self,
        request: AdmissionRequest,
        namespace: Manifest | None,
        answers: Reading,
        rounds: Reinvocation,
    ) -> None:
        self._request = request
        self._namespace = namespace
        self._answers = answers
        self._rounds = rounds
        self.warnings: list[str] = []

    def run(self, webhooks: Sequence[Webhook], manifest: Manifest) -> Manifest:
        """The object after all of them. Raises Unanswered, or an ApiError where one refuses or fails."""
        for webhook in webhooks:
            key = (webhook.configuration, webhook.index)
            if self._is_concerned(webhook.entry, manifest) and self._rounds.is_due(key):
                before = manifest
                manifest = self._asked(webhook.entry, manifest)
                policy = webhook.entry.get("reinvocationPolicy", "Never")
                self._rounds.note(key, changed=manifest != before, policy=policy)
        return manifest

    def _is_concerned(self, entry: Manifest, manifest: Manifest) -> bool:
        request = self._request
        if not any_rule_matches(entry.get("rules") or (), request):
            return False
        if not selectors_match(entry, request, manifest, self._namespace):
            return False
        variables = {"object": manifest, "oldObject": request.old, "request": request.as_review()}
        try:
            return conditions_hold(entry.get("matchConditions") or (), variables)
        except ExpressionError as error:
            if entry.get("failurePolicy") == "Ignore":
                return False
            raise conditions_failed(request, str(error)) from None

    def _asked(self, entry: Manifest, manifest: Manifest) -> Manifest:
        name = entry["name"]
        if self._request.dry_run and entry.get("sideEffects") not in WITHOUT_SIDE_EFFECTS:
            raise dry_run_unsupported(name)
        verdict = self._answers.verdict(webhook_call(entry, self._question(manifest)))
        self.warnings += verdict.warnings
        if verdict.failure:
            if entry.get("failurePolicy", "Fail") == "Ignore":
                return manifest
            raise webhook_failed(name, verdict.failure)
        if not verdict.allowed:
            raise webhook_denied(name, verdict.status)
        return self._patched(name, manifest, verdict)

    def _question(self, manifest: Manifest) -> Mapping[str, Any]:
        return {**self._request.as_review(), "object": manifest, "oldObject": self._request.old}

    def _patched(self, name: str, manifest: Manifest, verdict: Verdict) -> Manifest:
        """A patch that does not apply is an error whatever the failurePolicy: the webhook has answered."""
        if not verdict.patch:
            return manifest
        try:
            patched = json_patch(manifest, list(verdict.patch))
            return read_patched(self._request, manifest, patched, strict=False)
        except Broken as error:
            why = str(error)
        except ApiError as error:
            why = error.message
        raise WebhookFailed(f'Internal error occurred: the patch of admission webhook "{name}" cannot be used: {why}')
