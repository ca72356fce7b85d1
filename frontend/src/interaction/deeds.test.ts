import { expect, test } from "vitest";
import { type Deed, kubectlLine } from "./deeds";
import type { Mark } from "./marks";
import type { NodeEdit } from "./node_patch";

const taint: Mark = { kind: "taint", taint: { key: "gpu", value: "yes", effect: "NoSchedule" } };
const edit = (change: NodeEdit): Deed => ({ kind: "edit_nodes", names: ["n1", "n2"], edit: change });

test.each<[string, Deed]>([
  ["kubectl taint nodes n1 n2 gpu=yes:NoSchedule --overwrite", edit({ kind: "put", mark: taint })],
  ["kubectl taint nodes n1 n2 gpu=yes:NoSchedule-", edit({ kind: "remove", mark: taint })],
  ["kubectl label nodes n1 n2 disk=ssd --overwrite", edit({ kind: "label", key: "disk", value: "ssd" })],
  ["kubectl label nodes n1 n2 disk-", edit({ kind: "label", key: "disk", value: null })],
  ["kubectl uncordon n1 n2", edit({ kind: "cordon", unschedulable: false })],
  [
    "kubectl drain n1 --ignore-daemonsets --force",
    { kind: "drain", names: ["n1"], options: { ignore_daemonsets: true, force: true } },
  ],
  [
    "kubectl delete pod -n a x y\nkubectl delete pod -n b z",
    {
      kind: "delete_pods",
      pods: [
        { namespace: "a", name: "x" },
        { namespace: "a", name: "y" },
        { namespace: "b", name: "z" },
      ],
    },
  ],
  // kubectl has no word for a Binding.
  ["", { kind: "bind", pods: [{ namespace: "a", name: "x" }], node: "n1" }],
])("%s", (line, deed) => {
  expect(kubectlLine(deed)).toBe(line);
});
