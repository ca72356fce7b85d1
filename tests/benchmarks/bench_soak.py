"""Five minutes of cluster time in which much goes wrong: `python -m tests.benchmarks.bench_soak`.

A Deployment of 2,000 pods on 100 nodes; a fifth of all bindings is refused, the
scheduler or the worker is killed every few seconds, nodes go and others come.
Afterwards the API server is well again and the cluster has to come to rest with
nothing lost, nothing bound twice, and no node above its allocatable.
"""

from __future__ import annotations

import argparse
import random
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.benchmarks.bench_end_to_end import CONTAINER
from tests.services.running import Playground, clean_environ

NODES = 100
SPEED = 5.0
CLUSTER_SECONDS = 300.0
# Wall seconds from one blow to the next, and from one node to the next.
KILL_EVERY, CHURN_EVERY = 4.0, 1.5
FAILURE_RATE = 0.2
# For the cluster to come to rest.
PATIENCE_SECONDS = 300.0

Json = dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--replicas", type=int, default=2000)
    parser.add_argument("--cluster-seconds", type=float, default=CLUSTER_SECONDS)
    parser.add_argument("--speed", type=float, default=SPEED)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pg-") as folder:
        running = Playground.start_all(Path(folder), clean_environ())
        try:
            soak = Soak(running, random.Random(arguments.seed))
            soak.begin(arguments.replicas, arguments.speed)
            soak.suffer(arguments.cluster_seconds / arguments.speed)
            wrong = soak.judge(arguments.replicas)
        finally:
            running.close()
    sys.exit("\n".join(wrong) if wrong else 0)


class Soak:
    """One cluster, and who makes its life hard."""

    def __init__(self, running: Playground, chance: random.Random) -> None:
        self._running = running
        self._chance = chance
        self._cluster = running.create_cluster(seed=1, settings={"binding_failure_rate": FAILURE_RATE})
        self._nodes: list[str] = []
        self._made = 0
        self._kills: Counter[str] = Counter()
        # Of all bindings that ever ended: sequence -> (uid, pod, phase).
        self._ended: dict[int, tuple[str, str, str]] = {}

    def begin(self, replicas: int, speed: float) -> None:
        for _ in range(NODES):
            self._add_node()
        self._done(self._running.http.post(self._api("speed/"), json={"speed": speed}))
        path = f"/k8s/{self._cluster}/apis/apps/v1/namespaces/default/deployments"
        self._done(self._running.http.post(path, json=_deployment(replicas)))

    def suffer(self, seconds: float) -> None:
        started = time.monotonic()
        next_kill, next_churn = started + KILL_EVERY, started + CHURN_EVERY
        while (now := time.monotonic()) < started + seconds:
            if now >= next_churn:
                self._churn()
                self._note_bindings()
                next_churn = now + CHURN_EVERY
            if now >= next_kill:
                self._kill()
                next_kill = time.monotonic() + KILL_EVERY
            time.sleep(0.1)
        killed = ", ".join(f"{name} {times}" for name, times in sorted(self._kills.items()))
        print(f"killed                                {killed or 'nobody'}")
        print(f"nodes gone and come                   {self._made - NODES}")

    def judge(self, replicas: int) -> list[str]:
        """Everything that is wrong; empty: all is well."""
        self._done(self._running.http.patch(self._api("settings/"), json={"binding_failure_rate": 0}))
        started = time.monotonic()
        summary = self._rest()
        print(f"came to rest after                    {time.monotonic() - started:.0f} s")
        pods = [pod for pod in self._listed("pods") if not pod["metadata"].get("deletionTimestamp")]
        live = [pod for pod in pods if pod["status"].get("phase") not in ("Failed", "Succeeded")]
        failed = Counter(pod["status"].get("reason", "") for pod in pods if pod["status"].get("phase") == "Failed")
        print(f"pods running or pending               {len(live)}, failed {dict(failed)}")
        wrong = [] if summary["idle"] else [f"the cluster does not come to rest: {summary['waiting_for']}"]
        wrong += [f"{replicas} pods are wanted, {len(live)} are there"] if len(live) != replicas else []
        unbound = [pod["metadata"]["name"] for pod in live if not pod["spec"].get("nodeName")]
        wrong += [f"{len(unbound)} pods have no node: {unbound[:5]}"] if unbound else []
        wrong += [f"refused by the kubelet: {dict(failed)}"] if any(name.startswith("OutOf") for name in failed) else []
        return [*wrong, *self._bound_twice(live), *self._overfull(live)]

    def _note_bindings(self) -> None:
        """Straight from the database, and often: the oldest bindings are removed with their decisions."""
        path = self._running.place.data / "playground.sqlite3"
        query = "SELECT sequence, pod_uid, name, phase FROM scheduling_binding WHERE phase IN ('bound', 'failed')"
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=20)) as database:
            self._ended.update((sequence, (uid, name, phase)) for sequence, uid, name, phase in database.execute(query))

    def _bound_twice(self, pods: list[Json]) -> list[str]:
        """Every pod there ever was, bound once at the most; every one that lives, once."""
        self._note_bindings()
        phases = Counter(phase for _, _, phase in self._ended.values())
        bound = Counter((uid, name) for uid, name, phase in self._ended.values() if phase == "bound")
        print(f"pods bound, bindings refused          {len(bound)}, {phases['failed']}")
        wrong = [f"{name} ({uid}) was bound {times} times" for (uid, name), times in bound.items() if times > 1]
        living = {(pod["metadata"]["uid"], pod["metadata"]["name"]) for pod in pods if pod["spec"].get("nodeName")}
        wrong += [f"{name} ({uid}) has a node but no binding" for uid, name in living - bound.keys()]
        return wrong if phases["failed"] else [*wrong, "no binding was ever refused: this was no test"]

    def _overfull(self, pods: list[Json]) -> list[str]:
        millicores = int(CONTAINER["resources"]["requests"]["cpu"].removesuffix("m"))  # type: ignore[index]
        used = Counter(pod["spec"].get("nodeName", "") for pod in pods)
        return [f"{node} holds {count} pods" for node, count in used.items() if node and count * millicores > 4000]

    def _kill(self) -> None:
        victim = self._chance.choice(("scheduler", "worker"))
        self._running.kill(victim)
        self._running.start_part(victim)
        self._kills[victim] += 1

    def _churn(self) -> None:
        gone = self._nodes.pop(self._chance.randrange(len(self._nodes)))
        self._done(self._running.http.delete(f"/k8s/{self._cluster}/api/v1/nodes/{gone}"))
        self._add_node()

    def _add_node(self) -> None:
        self._made += 1
        name = f"node-{self._made:04}"
        resources = {"cpu": "4", "memory": "16Gi", "pods": "110"}
        manifest = {
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": {"name": name},
            "status": {"allocatable": resources, "capacity": resources},
        }
        self._done(self._running.http.post(f"/k8s/{self._cluster}/api/v1/nodes", json=manifest))
        self._nodes.append(name)

    def _rest(self) -> Json:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            answer = self._running.http.post(self._api("run-until-idle/"), json={"timeout_seconds": 20}, timeout=60)
            self._done(answer)
            self._note_bindings()
            if answer.json()["idle"] or time.monotonic() > deadline:
                return dict(answer.json())

    def _listed(self, plural: str) -> list[Json]:
        answer = self._running.http.get(f"/k8s/{self._cluster}/api/v1/{plural}")
        self._done(answer)
        return list(answer.json()["items"])

    def _api(self, path: str) -> str:
        return f"/api/clusters/{self._cluster}/{path}"

    def _done(self, answer: Any) -> None:
        assert answer.status_code in (200, 201, 202), answer.text


def _deployment(replicas: int) -> Json:
    labels = {"app": "web"}
    template = {"metadata": {"labels": labels}, "spec": {"containers": [CONTAINER]}}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "web"},
        "spec": {"replicas": replicas, "selector": {"matchLabels": labels}, "template": template},
    }


if __name__ == "__main__":
    main()
