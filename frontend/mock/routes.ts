/** The pretended REST answers. */
import { type MockCluster, mockNode, summaryOf } from "./cluster";
import { TEMPLATES } from "./templates";

type Answer = readonly [status: number, body?: unknown];
// biome-ignore lint/suspicious/noExplicitAny: bodies of a mock
type Body = Readonly<Record<string, any>>;

export function answer(cluster: MockCluster, method: string, url: string, body: Body): Answer {
  const { pathname, searchParams } = new URL(url, "http://mock");
  const parts = pathname.split("/").filter(Boolean);
  if (parts[0] === "k8s") return kubernetes(cluster, method, parts.slice(2), body);
  if (parts[1] === "templates") return [200, TEMPLATES];
  if (parts[1] === "presets") return [200, PRESETS];
  if (parts.length === 2)
    return [200, { count: 1, next: null, results: [{ ...cluster.cluster, version: cluster.version }] }];
  return clusterCall(cluster, parts.slice(3), body, searchParams);
}

function clusterCall(cluster: MockCluster, [action, detail]: string[], body: Body, query: URLSearchParams): Answer {
  switch (action) {
    case undefined:
      return [200, { ...cluster.cluster, version: cluster.version }];
    case "pause":
      cluster.clockTo({ state: "paused" });
      return [200, cluster.cluster];
    case "resume":
      cluster.clockTo({ state: "running" });
      return [200, cluster.cluster];
    case "step":
      cluster.cycle();
      return [200, {}];
    case "speed":
      cluster.clockTo({ speed: body.speed });
      return [200, cluster.cluster];
    case "would-fit":
      return wouldFit(cluster, body);
    case "apply":
      return [
        200,
        {
          results: [
            {
              document: 1,
              kind: "Pod",
              namespace: "default",
              name: "x",
              result: "error",
              error: { path: "spec.containers[0].image", message: "Required value", line: 4 },
            },
          ],
        },
      ];
    case "decisions":
      return decisions(cluster, detail, query.get("pod") ?? "");
    default:
      return missing(action ?? "");
  }
}

function wouldFit(cluster: MockCluster, body: Body): Answer {
  const pod = body.pod ? { requests: requestsOf(body.pod) } : cluster.pods.get(body.name);
  if (!pod) return missing(body.name);
  return [200, { nodes: [...cluster.nodes.keys()].map((name) => cluster.verdict(pod, name)) }];
}

function decisions(cluster: MockCluster, sequence: string | undefined, pod: string): Answer {
  if (sequence) {
    const report = cluster.reports.find((one) => one.sequence === Number(sequence));
    return report ? [200, report] : missing(sequence);
  }
  const results = cluster.reports
    .filter((report) => !pod || report.pod.name === pod)
    .map(summaryOf)
    .reverse();
  return [200, { count: results.length, next: null, previous: null, results }];
}

function kubernetes(cluster: MockCluster, method: string, parts: string[], body: Body): Answer {
  const plural = parts.includes("pods") ? "pods" : parts.includes("nodes") ? "nodes" : "";
  const [name, subresource] = parts.slice(parts.indexOf(plural) + 1);
  if (plural === "nodes") return nodes(cluster, method, name, body);
  if (plural === "pods") return pods(cluster, method, name, subresource, body);
  return status(404, "NotFound", "the server could not find the requested resource");
}

function nodes(cluster: MockCluster, method: string, name: string | undefined, body: Body): Answer {
  if (method === "POST") {
    const created = mockNode(body.metadata.name ?? cluster.nextName(body.metadata.generateName), "zone-b");
    cluster.addNode(created);
    return [201, { metadata: { name: created.name } }];
  }
  if (!name || !cluster.nodes.has(name)) return status(404, "NotFound", `nodes "${name}" not found`);
  if (method === "DELETE") return [200, cluster.deleteNode(name)];
  if (method === "PATCH") return [200, cluster.changeNode(name, { unschedulable: Boolean(body.spec?.unschedulable) })];
  return [200, { apiVersion: "v1", kind: "Node", metadata: { name }, spec: {}, status: {} }];
}

function pods(
  cluster: MockCluster,
  method: string,
  name: string | undefined,
  subresource: string | undefined,
  body: Body,
): Answer {
  if (method === "POST" && !name) {
    const { metadata, spec } = body;
    const named = metadata.name ?? cluster.nextName(metadata.generateName);
    cluster.addPod({ name: named, requests: requestsOf(body), priority: spec.priorityClassName ? 1000 : 0 });
    return [201, { metadata: { name: named, namespace: "default", uid: `uid-${named}` } }];
  }
  if (!name || !cluster.pods.has(name)) return status(404, "NotFound", `pods "${name}" not found`);
  if (subresource === "binding") {
    if (cluster.pods.get(name)?.node_name) return status(409, "Conflict", `pod ${name} is already assigned to node`);
    return cluster.bind(name, body.target.name)
      ? [201, {}]
      : status(404, "NotFound", `nodes "${body.target.name}" not found`);
  }
  if (method === "DELETE") return [200, cluster.deletePod(name)];
  return [200, { apiVersion: "v1", kind: "Pod", metadata: { name, namespace: "default" }, spec: {}, status: {} }];
}

function requestsOf(pod: Body): Record<string, number> {
  const cpu: string = pod.spec.containers[0].resources?.requests?.cpu ?? "0";
  return { cpu: cpu.endsWith("m") ? Number.parseInt(cpu, 10) : Number(cpu) * 1000 };
}

const missing = (what: string): Answer => [
  404,
  { error: { code: "not_found", message: `There is no ${what}.`, details: [] } },
];

const status = (code: number, reason: string, message: string): Answer => [
  code,
  { kind: "Status", apiVersion: "v1", status: "Failure", code, reason, message },
];

const PRESETS = [
  { id: "kind", title: "kind, 1 + 3", description: "One control plane node and three workers.", nodes: 4, pods: 0 },
  { id: "sample-shop", title: "Sample shop", description: "A dozen Deployments on kind 1 + 3.", nodes: 4, pods: 12 },
];
