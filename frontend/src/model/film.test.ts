import { describe, expect, test } from "vitest";
import { filmOf, leadersAt, overlayAt } from "./film";
import type { CycleReport } from "./messages.generated";
import { bindingCard, candidate, cycleReport, filterReport, pluginRun, scoreReport, status } from "./testing";

const FILTERS = [pluginRun("NodeName"), pluginRun("TaintToleration"), pluginRun("NodeResourcesFit")];

const placed = (over: Partial<CycleReport> = {}) =>
  cycleReport("web", {
    node: "n3",
    points: [
      { point: "preFilter", plugins: [pluginRun("NodeAffinity", "Skip"), pluginRun("NodeResourcesFit")] },
      { point: "filter", plugins: FILTERS },
      { point: "preScore", plugins: [pluginRun("PodTopologySpread", "Skip")] },
      { point: "score", plugins: [pluginRun("NodeResourcesFit"), pluginRun("ImageLocality")] },
      { point: "reserve", plugins: [pluginRun("VolumeBinding")] },
    ],
    filter: filterReport({ n1: "TaintToleration", n2: "NodeResourcesFit", n3: "", n4: "" }),
    score: scoreReport(["n3", "n4"], { NodeResourcesFit: [50, 40], ImageLocality: [0, 10] }, { ImageLocality: 1 }),
    ...over,
  });

const states = (report: CycleReport, at: (film: ReturnType<typeof filmOf>) => number) => {
  const film = filmOf(report);
  return Object.fromEntries([...overlayAt(film, at(film)).nodes].map(([name, { state }]) => [name, state]));
};

describe("a placed pod", () => {
  test("has a frame for each plugin that was asked, in the order of the cycle", () => {
    expect(filmOf(placed()).frames.map(({ point, plugin }) => `${point} ${plugin}`.trim())).toEqual([
      "start",
      "preFilter NodeResourcesFit",
      "filter NodeName",
      "filter TaintToleration",
      "filter NodeResourcesFit",
      "preScore",
      "score NodeResourcesFit",
      "score ImageLocality",
      "score",
      "score",
      "reserve VolumeBinding",
      "end",
    ]);
  });

  test("counts the nodes that are left after each", () => {
    expect(filmOf(placed()).frames.map(({ left }) => left)).toEqual([4, 4, 4, 3, 2, 2, 2, 2, 2, 2, 2, 2]);
  });

  test("nodes drop out with the plugin that rejected them, not before", () => {
    const at = (plugin: string) => (film: ReturnType<typeof filmOf>) =>
      film.frames.findIndex((frame) => frame.point === "filter" && frame.plugin === plugin);
    expect(states(placed(), at("NodeName"))).toEqual({ n1: "passes", n2: "passes", n3: "passes", n4: "passes" });
    expect(states(placed(), at("TaintToleration"))).toMatchObject({ n1: "rejected", n2: "passes" });
    expect(states(placed(), at("NodeResourcesFit"))).toMatchObject({ n1: "rejected", n2: "rejected" });
  });

  test("scores add up plugin by plugin", () => {
    const film = filmOf(placed());
    const first = film.frames.findIndex(({ scored }) => scored === 1);
    expect(leadersAt(film, first, 5)).toEqual([
      { node: "n3", sum: 50 },
      { node: "n4", sum: 40 },
    ]);
    expect(leadersAt(film, first + 1, 1)).toEqual([{ node: "n3", sum: 50 }]);
    expect(overlayAt(film, first + 1).nodes.get("n4")).toMatchObject({ state: "passes", score: 50 });
  });

  test("a tie is shown before the draw, and then the node that was drawn", () => {
    const film = filmOf(placed());
    const tie = film.frames.findIndex(({ scene }) => scene === "best");
    expect(states(placed(), () => tie)).toMatchObject({ n3: "best", n4: "best" });
    expect(states(placed(), () => tie + 1)).toMatchObject({ n3: "chosen", n4: "passes" });
  });

  test("without a tie nothing is drawn", () => {
    const score = scoreReport(["n3", "n4"], { NodeResourcesFit: [50, 40] });
    expect(filmOf(placed({ score })).frames.some(({ scene }) => scene === "best")).toBe(false);
  });

  test("the only node that fits is chosen without any score", () => {
    const points = placed().points.filter(({ point }) => !["preScore", "score"].includes(point));
    const film = filmOf(
      placed({
        points,
        score: null,
        filter: filterReport({ n1: "NodeName", n2: "NodeName", n3: "", n4: "NodeName" }),
      }),
    );
    const chosen = film.frames.findIndex(({ scene }) => scene === "chosen");
    expect(film.frames[chosen]?.point).toBe("filter");
    expect(film.chapters.find(({ point }) => point === "filter")?.last).toBe(chosen);
    expect(overlayAt(film, chosen).nodes.get("n3")?.state).toBe("chosen");
  });

  test("the binding cycle follows, its steps by extension point", () => {
    const step = (point: string, plugin: string) => ({ point, plugin, status: status("Success", plugin), call: null });
    const steps = [
      step("preBind", "VolumeBinding"),
      step("preBind", "DynamicResources"),
      step("bind", "DefaultBinder"),
    ];
    const film = filmOf(placed(), bindingCard("web", { steps }));
    expect(film.chapters.slice(-3)).toMatchObject([{ point: "preBind" }, { point: "bind" }, { point: "end" }]);
    expect(film.chapters.at(-3)).toMatchObject({ first: 11, last: 12 });
  });

  test("plugins that skip have no frame and are listed in their point", () => {
    expect(filmOf(placed()).chapters.find(({ point }) => point === "preFilter")?.skipped).toEqual(["NodeAffinity"]);
  });

  test("every frame belongs to exactly one chapter", () => {
    const film = filmOf(placed(), bindingCard("web"));
    const covered = film.chapters.flatMap(({ first, last }) =>
      Array.from({ length: last - first + 1 }, (_, index) => first + index),
    );
    expect(covered).toEqual(film.frames.map((_, index) => index));
  });
});

describe("nodes that no plugin was asked about", () => {
  test("were left out by PreFilter, with its reason", () => {
    const absent = status("UnschedulableAndUnresolvable", "NodeResourcesFit", "left out");
    const film = filmOf(placed({ filter: filterReport({ n3: "", n4: "" }, { total_nodes: 10, absent }) }));
    expect(film.frames.map(({ left }) => left).slice(0, 3)).toEqual([10, 2, 2]);
    expect(overlayAt(film, 0).rest?.state).toBe("passes");
    expect(overlayAt(film, 1).rest).toMatchObject({ state: "unresolvable", reason: "left out" });
  });

  test("were not needed, where the search had found enough", () => {
    const film = filmOf(placed({ filter: filterReport({ n3: "", n4: "" }, { total_nodes: 5000 }) }));
    expect(overlayAt(film, 1).rest?.state).toBe("passes");
    expect(overlayAt(film, 2).rest?.state).toBe("unseen");
    expect(film.frames[2]?.left).toBe(2);
  });
});

describe("a pod that no node takes", () => {
  const preemption = {
    status: status("Success", "DefaultPreemption"),
    candidates: [candidate("n1"), candidate("n2")],
    node: "n2",
    victims: candidate("n2").victims,
    waiting_victims: [],
    decided_by: "fewest victims",
    nominations_cleared: [],
    not_helpful: null,
  };
  const report = cycleReport("vip", {
    outcome: "unschedulable",
    points: [
      { point: "filter", plugins: [pluginRun("NodeResourcesFit")] },
      { point: "postFilter", plugins: [pluginRun("DynamicResources"), pluginRun("DefaultPreemption")] },
    ],
    filter: filterReport({ n1: "NodeResourcesFit", n2: "NodeResourcesFit" }),
    preemption,
  });

  test("shows the candidates with everybody's victims, then the nominated node with its own", () => {
    const film = filmOf(report);
    const candidates = film.frames.findIndex(({ scene }) => scene === "candidates");
    expect(film.frames[candidates]?.plugin).toBe("DefaultPreemption");
    expect(overlayAt(film, candidates).victims).toEqual(new Set(["uid-on-n1", "uid-on-n2"]));
    expect(overlayAt(film, candidates + 1).victims).toEqual(new Set(["uid-on-n2"]));
    expect(overlayAt(film, candidates + 1).nodes.get("n2")?.state).toBe("nominated");
    expect(overlayAt(film, candidates + 1).nodes.get("n1")?.state).toBe("rejected");
  });

  test("an extender has a frame of its own, behind all plugins", () => {
    const film = filmOf({ ...report, filter: filterReport({ n1: "NodeResourcesFit", n2: "Extender" }) });
    expect(film.frames.filter(({ point }) => point === "filter").map(({ plugin, left }) => [plugin, left])).toEqual([
      ["NodeResourcesFit", 1],
      ["Extender", 0],
    ]);
  });
});

test("an extender that passed every node was asked all the same", () => {
  const call = {
    extender: "http://127.0.0.1/e",
    verb: "filter",
    url: "http://127.0.0.1/e/filter",
    nodes: 2,
    nodes_passed: 2,
    request: "",
    request_bytes: 0,
    status: 200,
    response: "",
    response_bytes: 0,
    duration_us: 0,
    error: "",
    ignorable: false,
  };
  const film = filmOf(placed({ extender_calls: [call] }));
  expect(film.frames.filter(({ point }) => point === "filter").at(-1)).toMatchObject({
    plugin: "Extender",
    dropped: 0,
  });
});

test("a report without any point is a film of a start and an end", () => {
  expect(filmOf(cycleReport("gone", { outcome: "skipped" })).frames.map(({ point }) => point)).toEqual([
    "start",
    "end",
  ]);
});

test("5,000 nodes make a film of as many frames as five, quickly", () => {
  const names = Array.from({ length: 5000 }, (_, index) => `n${index}`);
  const big = placed({
    filter: filterReport(Object.fromEntries(names.map((name, i) => [name, i % 3 ? "" : "NodeName"]))),
  });
  const started = performance.now();
  const film = filmOf(big);
  overlayAt(film, film.frames.length - 1);
  expect(film.frames).toHaveLength(filmOf(placed()).frames.length);
  expect(performance.now() - started).toBeLessThan(250);
});
