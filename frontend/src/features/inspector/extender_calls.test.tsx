import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { renderInCluster } from "../../app/testing";
import type { ExtenderCall } from "../../model/messages.generated";
import { ExtenderCalls } from "./extender_calls";

const call = (over: Partial<ExtenderCall> = {}): ExtenderCall => ({
  extender: "http://127.0.0.1:8888",
  verb: "filter",
  url: "http://127.0.0.1:8888/filter",
  nodes: 3,
  nodes_passed: 1,
  request: "{}",
  request_bytes: 2,
  status: 200,
  response: "{}",
  response_bytes: 2,
  duration_us: 1200,
  error: "",
  ignorable: false,
  ...over,
});

test("a call tells whom it asked, about how many nodes, and how many were left", () => {
  renderInCluster(<ExtenderCalls calls={[call()]} />);
  const line = screen.getByTestId("extender-call");
  expect(line.textContent).toContain("http://127.0.0.1:8888/filter");
  expect(line.textContent).toContain("Asked about 3 nodes.");
  expect(line.textContent).toContain("1 node left.");
  expect(line.dataset.failed).toBe("false");
});

test("a failure is told in the scheduler's words, and what became of it", () => {
  const error = "context deadline exceeded (Client.Timeout exceeded while awaiting headers)";
  renderInCluster(<ExtenderCalls calls={[call({ error, status: 0, nodes_passed: null, ignorable: true })]} />);
  const line = screen.getByTestId("extender-call");
  expect(line.textContent).toContain(error);
  expect(line.textContent).toContain("The extender is ignorable");
});

test("a body that was cut says so", () => {
  renderInCluster(<ExtenderCalls calls={[call({ request_bytes: 90_000 })]} />);
  expect(screen.getByText("Only the beginning is kept.")).toBeTruthy();
});

test("a decision without extenders has no such part", () => {
  renderInCluster(<ExtenderCalls calls={[]} />);
  expect(screen.queryByTestId("extender-calls")).toBeNull();
});
