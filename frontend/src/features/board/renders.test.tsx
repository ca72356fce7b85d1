/** Who renders when something changes: whom it is about, and nobody else. */
import { act } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { prefer } from "../../app/preferences";
import { renderInCluster } from "../../app/testing";
import { clearWorkbench, select } from "../../app/workbench";
import { batchFrame, nodeCard, podCard } from "../../model/testing";
import { Board } from "./board";
import { filterText } from "./board_filter";

/** How often a part of a card was rendered, and a pod. */
const count = vi.hoisted(() => ({ parts: 0, pods: 0 }));

vi.mock("./board_look", async (original) => {
  const { useLook, ...rest } = await original<typeof import("./board_look")>();
  const counted = () => {
    count.parts += 1;
    return useLook();
  };
  return { ...rest, useLook: counted };
});

vi.mock("./namespace_stripe", async (original) => {
  const { stripeOf } = await original<typeof import("./namespace_stripe")>();
  const counted = (namespace: string) => {
    count.pods += 1;
    return stripeOf(namespace);
  };
  return { stripeOf: counted };
});

function boardOf(nodes: number, podsEach: number) {
  const names = Array.from({ length: nodes }, (_, number) => `n${number}`);
  const pods = names.flatMap((node_name) =>
    Array.from({ length: podsEach }, (_, number) => podCard(`${node_name}-p${number}`, { node_name })),
  );
  const board = renderInCluster(<Board />, {
    objects: [...names.map((name) => nodeCard(name)), ...pods, podCard("web")],
  });
  Object.assign(count, { parts: 0, pods: 0 });
  return board;
}

beforeEach(() => {
  clearWorkbench();
  filterText.set("");
  prefer({ boardMode: "auto" });
});

test("a pod that lands renders itself and the parts of one card that tell of pods", () => {
  const { say } = boardOf(8, 3);
  const object = podCard("web", { node_name: "n5" });
  say(batchFrame(1, [{ type: "object", version: 2, event: "MODIFIED", object }]));
  expect(count).toEqual({ parts: 2, pods: 1 });
});

test("a node that is cordoned renders its card, and no pod", () => {
  const { say } = boardOf(8, 3);
  const object = nodeCard("n5", { unschedulable: true });
  say(batchFrame(1, [{ type: "object", version: 2, event: "MODIFIED", object }]));
  expect(count).toEqual({ parts: 3, pods: 0 });
});

test("a pod that is selected renders alone", () => {
  boardOf(8, 3);
  act(() => select({ kind: "pod", uid: "uid-n5-p1" }));
  expect(count).toEqual({ parts: 0, pods: 1 });
});
