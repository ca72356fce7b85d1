/**
 * What the page asks about a cluster's past, forks of it, and where it is to be paused.
 *
 * Requests are values here as in `api.ts`.
 */
import type { ClusterCard, SnapshotFrame } from "../model/messages.generated";
import type { PastBatch } from "../model/rewind";
import type { Breakpoint, BreakpointList, Timeline, WantedBreakpoint } from "./openapi.generated";
import { type ApiRequest, request } from "./rest";

export type { Breakpoint, Timeline, TimelineMark, TimelineSlot, WantedBreakpoint } from "./openapi.generated";

const part = encodeURIComponent;
const clusterPath = (cluster: string) => `/api/clusters/${part(cluster)}`;
const historyPath = (cluster: string) => `${clusterPath(cluster)}/history/`;

export interface Span {
  readonly first?: number;
  readonly last?: number;
  readonly slots?: number;
}

export function getHistory(cluster: string, { first, last, slots }: Span = {}): ApiRequest<Timeline> {
  const asked = new URLSearchParams();
  for (const [name, value] of Object.entries({ first, last, slots })) {
    if (value !== undefined) asked.set(name, String(value));
  }
  return request<Timeline>("GET", `${historyPath(cluster)}?${asked}`);
}

export const getPastSnapshot = (cluster: string, version: number) =>
  request<SnapshotFrame>("GET", `${historyPath(cluster)}${version}/snapshot/`);
export const getPastMessages = (cluster: string, version: number, limit: number) =>
  request<PastBatch>("GET", `${historyPath(cluster)}${version}/messages/?limit=${limit}`);

/** A new cluster, so that the one that is looked at stays untouched. */
export const forkCluster = (cluster: string, fork: { readonly name: string; readonly version?: number }) => ({
  ...request<ClusterCard>("POST", `${clusterPath(cluster)}/fork/`, fork),
  inPast: true,
});

const breakpointsPath = (cluster: string) => `${clusterPath(cluster)}/breakpoints/`;

export const listBreakpoints = (cluster: string) => request<BreakpointList>("GET", breakpointsPath(cluster));
export const createBreakpoint = (cluster: string, wanted: WantedBreakpoint) =>
  request<Breakpoint>("POST", breakpointsPath(cluster), wanted);
export const removeBreakpoint = (cluster: string, id: number) =>
  request<void>("DELETE", `${breakpointsPath(cluster)}${id}/`);
export const clearBreakpoints = (cluster: string) => request<void>("DELETE", breakpointsPath(cluster));
