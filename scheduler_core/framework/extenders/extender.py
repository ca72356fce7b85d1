"""One extender: may it be asked about this pod, and what did it say."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from scheduler_core.framework.extenders import wire
from scheduler_core.framework.extenders.interface import ExtenderCaller, ExtenderSpec, ExtenderUnreachable
from scheduler_core.framework.recorder import Stopwatch
from scheduler_core.framework.status import plain
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.report import ExtenderCall

T = TypeVar("T")

# Of a request and of an answer, kept in the record of a call.
KEPT_CHARACTERS = 4_000
OK = 200


class ExtenderError(Exception):
    """The extender failed; the text is kube-scheduler's, as far as it can be stored and shown."""

    def __init__(self, text: str) -> None:
        super().__init__(plain(text))


class Extender:
    """What kube-scheduler knows as HTTPExtender. Every call is written to `record`."""

    def __init__(
        self,
        spec: ExtenderSpec,
        caller: ExtenderCaller,
        stopwatch: Stopwatch,
        record: Callable[[ExtenderCall], None],
    ) -> None:
        self.spec = spec
        self.url = spec.url_prefix
        self._caller = caller
        self._stopwatch = stopwatch
        self._record = record

    def is_interested(self, pod: PodInfo) -> bool:
        return is_interested(self.spec, pod)

    # The verbs. All raise ExtenderError.

    def filter(self, body: bytes, sent: Sequence[str]) -> wire.FilterAnswer:
        answer = self._send("filter", self.spec.filter_verb, body, wire.read_filter, nodes=len(sent))
        if answer.error:
            raise ExtenderError(answer.error)
        return answer

    def passed(self, answer: wire.FilterAnswer, sent: Sequence[str]) -> list[str]:
        """Names of the nodes that passed, each once, in the extender's order."""
        by_name = self.spec.node_cache_capable and answer.node_names is not None
        names = (answer.node_names if by_name else answer.nodes) or []
        known = set(sent)
        for name in names:
            if name not in known:
                raise ExtenderError(
                    f'extender "{self.url}" claims a filtered node "{name}" which is not found in the input node list'
                )
        return list(dict.fromkeys(names))

    def prioritize(self, body: bytes, sent: Sequence[str]) -> list[tuple[str, int]]:
        return self._send("prioritize", self.spec.prioritize_verb, body, wire.read_priorities, nodes=len(sent))

    def preempt(self, body: bytes, nodes: int) -> dict[str, wire.MetaVictims]:
        if not self.spec.preempt_verb:
            raise ExtenderError(f"preempt verb is not defined for extender {self.url} but run into ProcessPreemption")
        return self._send("preempt", self.spec.preempt_verb, body, wire.read_preemption, nodes=nodes)

    def bind(self, pod: PodInfo, node_name: str) -> None:
        if not self.spec.bind_verb:
            raise ExtenderError("unexpected empty bindVerb in extender")
        body = wire.bind_body(name=pod.name, namespace=pod.namespace, uid=pod.uid, node=node_name)
        error = self._send("bind", self.spec.bind_verb, body, wire.read_error, nodes=1)
        if error:
            raise ExtenderError(error)

    def _send(self, point: str, verb: str, body: bytes, read: Callable[[bytes], T], *, nodes: int) -> T:
        url = f"{self.url.rstrip('/')}/{verb}"
        call = ExtenderCall(
            extender=self.url,
            verb=point,
            url=url,
            nodes=nodes,
            request=_shown(body),
            request_bytes=len(body),
            ignorable=self.spec.ignorable,
        )
        started = self._stopwatch()
        try:
            return self._exchange(call, verb, body, read)
        except (ExtenderUnreachable, wire.WrongAnswer) as failure:
            raise ExtenderError(str(failure)) from None
        finally:
            call.duration_us = (self._stopwatch() - started) // 1000
            self._record(call)

    def _exchange(self, call: ExtenderCall, verb: str, body: bytes, read: Callable[[bytes], T]) -> T:
        answer = self._caller.post(self.spec, call.url, body)
        call.status = answer.status
        call.response, call.response_bytes = _shown(answer.body), len(answer.body)
        if answer.status != OK:
            raise ExtenderError(f"failed {verb} with extender at URL {call.url}, code {answer.status}")
        return read(answer.body)


def binder_of(specs: Iterable[ExtenderSpec], pod: PodInfo) -> ExtenderSpec | None:
    """The extender that binds the pod in place of the Bind plugins; a configuration has at most one."""
    return next((spec for spec in specs if spec.bind_verb and is_interested(spec, pod)), None)


def is_interested(extender: ExtenderSpec, pod: PodInfo) -> bool:
    """With managed resources: only in pods of which a container or init container asks for one of them."""
    if not extender.managed_resources:
        return True
    managed, spec = {resource.name for resource in extender.managed_resources}, pod.pod.spec
    return any(
        not managed.isdisjoint(amounts)
        for container in (*spec.containers, *spec.init_containers)
        for amounts in (container.resources.requests, container.resources.limits)
    )


def _shown(body: bytes) -> str:
    """The beginning of a body, as text."""
    return body[:KEPT_CHARACTERS].decode(errors="replace")
