import { fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { renderInCluster } from "../../app/testing";
import { SettingsDialog } from "./settings_dialog";

afterEach(() => vi.unstubAllGlobals());

const SETTINGS = {
  pull_seconds: 2,
  start_seconds: 0.5,
  stop_seconds: 0.5,
  job_seconds: 10,
  binding_latency_seconds: 0,
  binding_failure_rate: 0,
  assume_cache: true,
  pod_initial_backoff_seconds: 1,
  pod_max_backoff_seconds: 10,
  feature_gates: { SchedulerQueueingHints: true, SchedulerPopFromBackoffQ: false },
};

/** Opens the dialog before a server that answers a PATCH so; answers what was patched. */
async function open(status = 200, answer: unknown = SETTINGS) {
  const patched: unknown[] = [];
  vi.stubGlobal("fetch", async (_path: string, { method, body }: RequestInit) => {
    if (method === "PATCH") patched.push(JSON.parse(String(body)));
    return method === "PATCH"
      ? new Response(JSON.stringify(answer), { status })
      : new Response(JSON.stringify(SETTINGS));
  });
  const close = vi.fn();
  renderInCluster(<SettingsDialog onClose={close} />);
  await screen.findByTestId("settings-save");
  return { patched, close };
}

const type = (name: string, value: string) =>
  fireEvent.change(screen.getByTestId(`setting-${name}`), { target: { value } });
const save = () => fireEvent.click(screen.getByTestId("settings-save"));

test("only what was changed is sent, and the dialog closes", async () => {
  const { patched, close } = await open();
  type("binding_latency_seconds", "5");
  fireEvent.click(screen.getByTestId("setting-assume_cache"));
  fireEvent.click(screen.getByTestId("setting-SchedulerPopFromBackoffQ"));
  save();
  await waitFor(() => expect(close).toHaveBeenCalled());
  expect(patched).toEqual([
    { binding_latency_seconds: 5, assume_cache: false, feature_gates: { SchedulerPopFromBackoffQ: true } },
  ]);
});

test("nothing changed is nothing sent", async () => {
  const { patched, close } = await open();
  save();
  await waitFor(() => expect(close).toHaveBeenCalled());
  expect(patched).toEqual([]);
});

test("what the server refuses is said at its field, and what was typed stays", async () => {
  const message = "Invalid value: 2: must be a number between 0 and 1";
  const details = [{ path: "binding_failure_rate", message }];
  const { close } = await open(422, { error: { code: "invalid", message: "refused", details } });
  type("binding_failure_rate", "2");
  save();
  const problem = await screen.findByRole("alert", { hidden: true });
  expect(problem.textContent).toBe(message);
  const field = screen.getByTestId<HTMLInputElement>("setting-binding_failure_rate");
  expect(problem.parentElement).toBe(field.parentElement);
  expect(field.value).toBe("2");
  expect(close).not.toHaveBeenCalled();
});

test("what is no number is left to the server to refuse", async () => {
  const { patched } = await open(422, { error: { code: "invalid", message: "refused", details: [] } });
  type("binding_latency_seconds", "soon");
  save();
  await screen.findByTestId("error-note");
  expect(patched).toEqual([{ binding_latency_seconds: "soon" }]);
});
