import { describe, expect, it } from "vitest";
import type { EventCard } from "../../model/messages.generated";
import { filterEvents } from "./filter";

const event = (reason: string, over: Partial<EventCard> = {}): EventCard => ({
  kind: "Event",
  uid: reason,
  namespace: "default",
  name: reason,
  resource_version: 1,
  event_type: "Normal",
  reason,
  message: "",
  regarding_kind: "Pod",
  regarding_name: "web-1",
  regarding_uid: "u",
  source: "default-scheduler",
  count: 1,
  first_at: "2026-01-01T00:00:00Z",
  last_at: "2026-01-01T00:00:00Z",
  ...over,
});

const EVENTS = [
  event("Scheduled", { message: "Successfully assigned default/web-1 to n1" }),
  event("FailedScheduling", { event_type: "Warning", message: "0/3 nodes are available", regarding_name: "db-0" }),
];

const reasons = (text: string, warningsOnly = false) =>
  filterEvents(EVENTS, { text, warningsOnly }).map(({ reason }) => reason);

describe("the events a person asked for", () => {
  it("are all of them without a filter", () => {
    expect(filterEvents(EVENTS, { text: "  ", warningsOnly: false })).toBe(EVENTS);
  });

  it("have every word, wherever it stands and however it is written", () => {
    expect(reasons("POD/web assigned")).toEqual(["Scheduled"]);
    expect(reasons("assigned db-0")).toEqual([]);
  });

  it("are only warnings when asked so", () => {
    expect(reasons("", true)).toEqual(["FailedScheduling"]);
    expect(reasons("scheduled", true)).toEqual([]);
  });
});
