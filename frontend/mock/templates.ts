/** Templates of the pretended palette. */
const pod = (id: string, title: string, description: string, cpu: string, spec: object = {}) => ({
  id,
  title,
  description,
  kind: "Pod",
  manifest: {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { generateName: `${id}-`, labels: { app: id } },
    spec: { containers: [{ name: "app", image: "nginx", resources: { requests: { cpu, memory: "128Mi" } } }], ...spec },
  },
});

const node = (id: string, title: string, description: string) => ({
  id,
  title,
  description,
  kind: "Node",
  manifest: {
    apiVersion: "v1",
    kind: "Node",
    metadata: { generateName: `${id}-` },
    status: { allocatable: { cpu: "4" } },
  },
});

export const TEMPLATES = [
  pod("small", "Small", "100m cpu, 128Mi memory", "100m"),
  pod("large", "Large", "2 cpu, 4Gi memory", "2"),
  pod("gpu", "GPU", "1 nvidia.com/gpu", "500m"),
  pod("zone-spread", "Zone-spread", "At most one more per zone than elsewhere", "200m"),
  pod("ssd-only", "SSD only", "Needs disktype=ssd", "200m"),
  pod("high-priority", "High priority", "Preempts lower priorities", "1", { priorityClassName: "high" }),
  node("node-small", "Small node", "2 cpu, 4Gi"),
  node("node-large", "Large node", "16 cpu, 64Gi"),
];
