"""The whole stack under load, from outside: `python -m tests.benchmarks.bench_end_to_end`.

Starts the embedded default (Valkey, web, scheduler, worker) on a throw-away
data folder and measures, with a page's WebSocket open:

- a Deployment scaled from 0 to 500 on 100 nodes: pods a second from the request
  until the last pod is bound and stored;
- one pod at a time: from the POST until its bound message is on the WebSocket;
- the memory of all processes together.

Beside the times stands the processor time a pod takes in each process: on a
machine that others use too, it says more.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import quantiles
from typing import Any

import msgspec
import psutil
from websockets.sync.client import ClientConnection

from tests.services.running import Playground, clean_environ

PROCESSES = ("valkey", "web", "scheduler", "worker")
NODES = 100
PATIENCE_SECONDS = 120.0
CONTAINER = {
    "name": "main",
    "image": "registry.example/app:1",
    "resources": {"requests": {"cpu": "100m", "memory": "100Mi"}},
}


def main() -> None:
    arguments = _arguments()
    with tempfile.TemporaryDirectory(prefix="pg-") as folder:
        running = Playground.start_all(Path(folder), clean_environ())
        try:
            _measure(running, **vars(arguments))
        finally:
            running.close()


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--nodes", type=int, default=NODES)
    parser.add_argument("--replicas", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=3, help="how often the Deployment is scaled up")
    parser.add_argument("--singles", type=int, default=100)
    return parser.parse_args()


def _measure(running: Playground, *, nodes: int, replicas: int, rounds: int, singles: int) -> None:
    print(f"cores                                 {os.cpu_count()}")
    for _ in range(rounds):
        _scale_up(running, nodes, replicas)
    _single_pods(running, nodes, singles)
    proportional, resident = _memory(running)
    print(f"memory of all processes               {proportional:.0f} MB (PSS), {resident:.0f} MB (RSS)")


def _tell_processor_time(running: Playground, before: dict[str, float], pods: int) -> None:
    spent = {name: (seconds - before[name]) * 1000 / pods for name, seconds in _spent(running).items()}
    listed = "  ".join(f"{name} {milliseconds:.1f} ms" for name, milliseconds in spent.items())
    print(f"    processor time a pod              {listed}")


def _spent(running: Playground) -> dict[str, float]:
    times = {name: psutil.Process(running.pid(name)).cpu_times() for name in PROCESSES}
    return {name: each.user + each.system for name, each in times.items()}


def _scale_up(running: Playground, nodes: int, replicas: int) -> None:
    """From the request until all are bound, on a fresh cluster."""
    cluster = _cluster_of_nodes(running, nodes)
    deployments = f"/k8s/{cluster}/apis/apps/v1/namespaces/default/deployments"
    _post(running, deployments, _deployment())
    running.http.post(f"/api/clusters/{cluster}/run-until-idle/", json={})
    with running.live(cluster) as live:
        live.recv(timeout=PATIENCE_SECONDS)
        before, started = _spent(running), time.perf_counter()
        answer = running.http.patch(
            f"{deployments}/web/scale",
            json={"spec": {"replicas": replicas}},
            headers={"Content-Type": "application/merge-patch+json"},
        )
        assert answer.status_code == 200, answer.text
        bound: set[str] = set()
        for message in _messages(live):
            bound.update(_bound_pods(message))
            if len(bound) >= replicas:
                break
        seconds = time.perf_counter() - started
    print(f"Deployment 0 -> {replicas} on {nodes} nodes      {replicas / seconds:.0f} pods/s bound and stored")
    _tell_processor_time(running, before, replicas)


def _single_pods(running: Playground, nodes: int, count: int) -> None:
    """From the request to the bound message, one pod after the other."""
    milliseconds = []
    cluster = _cluster_of_nodes(running, nodes)
    with running.live(cluster) as live:
        live.recv(timeout=PATIENCE_SECONDS)
        messages = _messages(live)
        before = _spent(running)
        for number in range(count):
            started = time.perf_counter()
            _post(running, f"/k8s/{cluster}/api/v1/namespaces/default/pods", _pod(f"single-{number}"))
            while f"single-{number}" not in _bound_pods(next(messages)):
                pass
            milliseconds.append((time.perf_counter() - started) * 1000)
    twentieths = quantiles(milliseconds, n=20)
    print(
        f"POST of a pod -> bound on WebSocket   p50 {twentieths[9]:.0f} ms  p95 {twentieths[18]:.0f} ms  ({count} pods)"
    )
    _tell_processor_time(running, before, count)


def _messages(live: ClientConnection) -> Iterator[dict[str, Any]]:
    while True:
        frame = msgspec.json.decode(live.recv(timeout=PATIENCE_SECONDS))
        yield from frame.get("messages", ())


def _bound_pods(message: dict[str, Any]) -> list[str]:
    """Names of the pods that this message says are bound."""
    if message["type"] != "bindings":
        return []
    return [binding["pod"]["name"] for binding in message["bindings"] if binding["phase"] == "bound"]


def _cluster_of_nodes(running: Playground, nodes: int) -> str:
    cluster = running.create_cluster()
    for number in range(nodes):
        _post(running, f"/k8s/{cluster}/api/v1/nodes", _node(number))
    return cluster


def _post(running: Playground, path: str, manifest: dict[str, Any]) -> None:
    answer = running.http.post(path, json=manifest)
    assert answer.status_code in (200, 201), answer.text


def _node(number: int) -> dict[str, Any]:
    resources = {"cpu": "4", "memory": "16Gi", "pods": "110"}
    labels = {"topology.kubernetes.io/zone": f"zone-{number % 3}"}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": f"node-{number:03}", "labels": labels},
        "status": {"allocatable": resources, "capacity": resources},
    }


def _pod(name: str) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}, "spec": {"containers": [CONTAINER]}}


def _deployment() -> dict[str, Any]:
    labels = {"app": "web"}
    template = {"metadata": {"labels": labels}, "spec": {"containers": [CONTAINER]}}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "web"},
        "spec": {"replicas": 0, "selector": {"matchLabels": labels}, "template": template},
    }


def _memory(running: Playground) -> tuple[float, float]:
    """(PSS, RSS) of all processes and their children in MB; shared pages count once in the first."""
    proportional = resident = 0
    for name in PROCESSES:
        parent = psutil.Process(running.pid(name))
        for process in (parent, *parent.children(recursive=True)):
            memory = process.memory_full_info()
            proportional += getattr(memory, "pss", memory.rss)
            resident += memory.rss
    return proportional / 1e6, resident / 1e6


if __name__ == "__main__":
    main()
