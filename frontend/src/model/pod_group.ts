/** The PodGroup that a pod says it belongs to; "" for none. */
import type { PodCard } from "./messages.generated";

const LABEL = "scheduling.x-k8s.io/pod-group";

export const podGroupOf = (pod: PodCard | undefined): string => pod?.labels[LABEL] ?? "";
