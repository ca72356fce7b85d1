/**
 * Canonical integers written as Kubernetes quantities: `500m`, `1.5Gi`, `4`.
 *
 * Cpu is in millicores, memory and storage in bytes, everything else in pieces.
 */
const BINARY = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"] as const;

export function isBytes(resource: string): boolean {
  return (
    resource === "memory" ||
    resource === "storage" ||
    resource === "ephemeral-storage" ||
    resource.startsWith("hugepages-")
  );
}

export function formatQuantity(resource: string, amount: number): string {
  if (resource === "cpu") return formatCpu(amount);
  if (isBytes(resource)) return formatBytes(amount);
  return String(amount);
}

function formatCpu(milli: number): string {
  return milli % 1000 === 0 ? String(milli / 1000) : `${milli}m`;
}

function formatBytes(bytes: number): string {
  let value = bytes;
  let power = 0;
  while (Math.abs(value) >= 1024 && power < BINARY.length - 1) {
    value /= 1024;
    power += 1;
  }
  const text = Number.isInteger(value) ? String(value) : value.toFixed(value < 10 ? 2 : 1).replace(/\.?0+$/, "");
  return `${text}${BINARY[power]}`;
}

/** `nvidia.com/gpu` as `gpu`: the short name for a narrow place. */
export function shortResource(resource: string): string {
  return resource.slice(resource.lastIndexOf("/") + 1);
}
