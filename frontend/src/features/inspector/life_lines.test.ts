import { expect, test } from "vitest";
import type { BindingCard } from "../../model/messages.generated";
import { bindingCard, podCard, queueMove } from "../../model/testing";
import type { PodLife } from "../../transport/api_types";
import { lifeLines } from "./life_lines";

const lifeWith = (binding: BindingCard): PodLife => ({
  pod: podCard("web"),
  now: 200,
  standing: null,
  seconds_in_queue: null,
  entries: [
    {
      at: binding.ended_at ?? binding.at,
      kind: "binding",
      text: "",
      scheduler: binding.scheduler,
      move: null,
      attempt: null,
      binding,
    },
  ],
  not_woken_by: [],
  complete: true,
});

test("a binding that ended tells where, and how long the API server took", () => {
  const binding = bindingCard("web", { phase: "bound", at: 100, ended_at: 105 });
  expect(lifeLines(lifeWith(binding), [])).toMatchObject([
    { at: 105, what: "binding cycle: bound", cause: "→ n1 · after 5.0 s" },
  ]);
});

test("a binding that still runs is no line yet", () => {
  expect(lifeLines(lifeWith(bindingCard("web")), [])).toEqual([]);
});

test("where several schedulers were after a pod, each line says whose it is, and none is told twice", () => {
  const move = queueMove("web", { source: "", target: "activeQ", at: 100 });
  const entry = { at: 100, kind: "move", text: "", attempt: null, binding: null, move } as const;
  const life = { ...lifeWith(bindingCard("web")), entries: ["a", "b"].map((scheduler) => ({ ...entry, scheduler })) };
  const lines = lifeLines(life, [move]);
  expect(lines.map(({ what }) => what.split(":")[0])).toEqual(["a", "b"]);
  expect(new Set(lines.map(({ key }) => key)).size).toBe(2);
});

test("two moves of one moment are told apart by the attempt", () => {
  const pops = [1, 2].map((attempts) => queueMove("web", { source: "activeQ", target: "inFlight", attempts, at: 100 }));
  expect(lifeLines(undefined, pops)).toHaveLength(2);
});

test("a move tells how many events came to nothing while the pod waited", () => {
  const skip = { event: "NodeAdd", plugin: "NodeAffinity", reason: "no", object: "Node/a", at: 1 };
  const woken = queueMove("web", { event: "NodeAdd", skips: [3, 4].map((count) => ({ ...skip, count })) });
  expect(lifeLines(undefined, [woken])[0]?.cause).toBe("NodeAdd · not woken by 7 events before");
});
