"""The order: policies, then webhooks; and once more for those who want to know what came after them.

    manifest = mutate(tx, request, manifest, built_in)

`built_in` are the API server's own mutating plugins (for a pod its priority and
tolerations). They have run before, and run again where a hook has changed the
object: that is how a webhook that sets a priorityClassName gets its number, or
the error that it left the old number in place.

What schedulers and kubelets write passes no hook: their transactions bring no
answers, and a hook that takes everything must not keep them from their work.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import TYPE_CHECKING

from playground.clusters.admission.mutation.hooks import Hooks, hooks_of, namespace_of
from playground.clusters.admission.mutation.matching import is_exempt
from playground.clusters.admission.mutation.policies import apply_policies
from playground.clusters.admission.mutation.reinvocation import Reinvocation
from playground.clusters.admission.mutation.request import AdmissionRequest, Manifest
from playground.clusters.admission.mutation.verdicts import Reading
from playground.clusters.admission.mutation.webhooks import WebhookRound

if TYPE_CHECKING:
    from playground.clusters.services.transaction import ClusterTransaction

BuiltIn = Callable[[Manifest], None]


def mutate(tx: ClusterTransaction, request: AdmissionRequest, manifest: Manifest, built_in: BuiltIn) -> Manifest:
    """The object as the hooks leave it. Raises Unanswered where a webhook has to be asked first."""
    if tx.webhook_answers is None or is_exempt(request):
        return manifest
    hooks = hooks_of(tx)
    if not hooks:
        return manifest
    namespace = namespace_of(tx, request.namespace) if request.kind.namespaced else None
    if request.kind.namespaced and namespace is None:
        # The object is refused in a moment: there is no such namespace.
        return manifest
    chain = _Chain(hooks, request, namespace, tx.webhook_answers)
    changed = chain.run(manifest, built_in)
    tx.warnings.extend(chain.warnings)
    return changed


class _Chain:
    def __init__(self, hooks: Hooks, request: AdmissionRequest, namespace: Manifest | None, answers: Reading) -> None:
        self._hooks = hooks
        self._request = request
        self._namespace = namespace
        self._answers = answers
        self._policy_rounds, self._webhook_rounds = Reinvocation(), Reinvocation()
        self.warnings: list[str] = []

    def run(self, manifest: Manifest, built_in: BuiltIn) -> Manifest:
        first = self._round(manifest)
        if first == manifest:
            return manifest
        again = deepcopy(first)
        built_in(again)
        return self._second_round(again)

    def _second_round(self, manifest: Manifest) -> Manifest:
        self._policy_rounds.begin_second_round(manifest)
        manifest = self._policies(manifest)
        self._webhook_rounds.begin_second_round(manifest)
        return self._webhooks(manifest)

    def _round(self, manifest: Manifest) -> Manifest:
        return self._webhooks(self._policies(manifest))

    def _policies(self, manifest: Manifest) -> Manifest:
        policies = list(self._hooks.policies)
        after = apply_policies(policies, self._request, manifest, self._namespace, self._policy_rounds)
        self._policy_rounds.finish_round(after)
        return after

    def _webhooks(self, manifest: Manifest) -> Manifest:
        webhooks = WebhookRound(self._request, self._namespace, self._answers, self._webhook_rounds)
        after = webhooks.run(self._hooks.webhooks, manifest)
        self._webhook_rounds.finish_round(after)
        self.warnings += webhooks.warnings
        return after
