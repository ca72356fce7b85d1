import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { BindingCard, CycleReport } from "../../model/messages.generated";
import { filmOverlay } from "../../model/overlay";
import { bindingCard, cycleReport, filterReport, pluginRun, status } from "../../model/testing";
import { closeFilm, filmState, mayGiveWay, openFilm, tellBinding, tellFilm } from "./film_store";

const REPORT = cycleReport("web", {
  node: "n2",
  points: [{ point: "filter", plugins: [pluginRun("NodeResourcesFit")] }],
  filter: filterReport({ n1: "NodeResourcesFit", n2: "" }),
});

let stored: ReadonlyMap<string, CycleReport & { readonly binding: BindingCard | null }>;

beforeEach(() => {
  vi.useFakeTimers();
  stored = new Map([["/api/clusters/demo/decisions/1/", { ...REPORT, binding: null }]]);
  vi.stubGlobal("fetch", async (path: string) => {
    const found = stored.get(path);
    const error = { error: { code: "not_found", message: "decision 9 is not kept any more", details: [] } };
    return found ? Response.json(found) : Response.json(error, { status: 404 });
  });
});

afterEach(() => {
  closeFilm();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const frame = () => {
  const { film, playback } = filmState.get();
  const { point, scene } = film?.frames[playback.at] ?? {};
  return `${point} ${scene}`;
};

test("a stored decision plays to its end, and the board shows each frame", async () => {
  await openFilm("demo", 1);
  expect(frame()).toBe("start filter");
  expect(filmOverlay.get()?.nodes.get("n1")?.state).toBe("passes");
  vi.runAllTimers();
  expect(frame()).toBe("end chosen");
  expect(filmOverlay.get()?.nodes.get("n1")?.state).toBe("rejected");
  expect(filmOverlay.get()?.nodes.get("n2")?.state).toBe("chosen");
  expect(mayGiveWay(filmState.get())).toBe(true);
});

test("while it plays it gives way to nothing; stopped in its middle neither", async () => {
  await openFilm("demo", 1);
  expect(mayGiveWay(filmState.get())).toBe(false);
  tellFilm({ type: "stepped", by: 1 });
  expect(vi.getTimerCount()).toBe(0);
  expect(mayGiveWay(filmState.get())).toBe(false);
});

test("steps of the binding cycle that come after the end was seen are played, too", async () => {
  await openFilm("demo", 1);
  vi.runAllTimers();
  const steps = [{ point: "bind", plugin: "DefaultBinder", status: status("Success", "DefaultBinder"), call: null }];
  tellBinding(bindingCard("web", { sequence: 1, node: "n2", steps }));
  expect(frame()).toBe("bind chosen");
  vi.runAllTimers();
  expect(frame()).toBe("end chosen");
});

test("the binding of another decision changes nothing", async () => {
  await openFilm("demo", 1);
  const before = filmState.get();
  tellBinding(bindingCard("web", { sequence: 2 }));
  expect(filmState.get()).toBe(before);
});

test("a decision that is not kept any more takes the film before off the board, and says so", async () => {
  await openFilm("demo", 1);
  await openFilm("demo", 9);
  expect(filmState.get()).toMatchObject({ film: undefined, error: { message: "decision 9 is not kept any more" } });
  expect(filmOverlay.get()).toBeUndefined();
});

test("put away, the board is as ever and nothing runs on", async () => {
  await openFilm("demo", 1);
  closeFilm();
  expect(filmOverlay.get()).toBeUndefined();
  expect(vi.getTimerCount()).toBe(0);
});

test("an answer that comes after the film was put away opens nothing", async () => {
  const opening = openFilm("demo", 1);
  closeFilm();
  await opening;
  expect(filmState.get()).toMatchObject({ open: false, film: undefined });
});
