import { expect, test } from "vitest";
import { queueMove } from "../../model/testing";
import { moveWhy } from "./move_text";

test.each([
  [
    { event: "NodeAdd", object: "Node/n7", plugin: "NodeResourcesFit", hint: "Queue" },
    "node n7 added → NodeResourcesFit: Queue",
  ],
  [{ event: "AssignedPodDelete", object: "Pod/shop/web-1" }, "pod shop/web-1 deleted"],
  [{ event: "NodeUpdateNodeTaint", object: "Node/n7" }, "taints of node n7 changed"],
  [{ event: "PodUpdatePodSchedulingGatesEliminated" }, "the last gate of the pod was removed"],
  [{ event: "PodAdd" }, "created"],
  [{ event: "Placed", object: "Node/n7" }, "node n7 was chosen"],
  [{ event: "Bound", object: "Node/n7" }, "now on node n7"],
  [{ event: "Bound" }, "bound"],
  [{ event: "BackoffComplete" }, "backoff over"],
  [{ event: "storage.k8s.io/CSINodeUpdate", object: "CSINode/n7" }, "CSINode n7 changed"],
  [{ event: "SomethingNew" }, "SomethingNew"],
])("%j", (move, text) => {
  expect(moveWhy(queueMove("web", move))).toBe(text);
});
