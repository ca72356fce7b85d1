/** The feed's world in a real browser. */
import { getCluster } from "./api";
import type { FeedWorld, Probe, Socket } from "./cluster_feed";
import { ApiError } from "./errors";
import { getHistory, getPastMessages, getPastSnapshot } from "./history_api";
import type { PastWorld } from "./past_feed";
import { readOnly, send } from "./rest";

export function browserWorld(cluster: string): FeedWorld {
  return {
    open: (from) => openSocket(cluster, from),
    probe: () => probe(cluster),
    nextFrame,
    now: () => Date.now(),
    random: () => Math.random(),
  };
}

export function browserPast(cluster: string): PastWorld {
  return {
    history: (version) => send(getHistory(cluster, { first: version, last: version, slots: 1 })),
    snapshot: (version) => send(getPastSnapshot(cluster, version)),
    messages: (version, limit) => send(getPastMessages(cluster, version, limit)),
    later: (seconds, callback) => {
      const timer = setTimeout(callback, seconds * 1000);
      return () => clearTimeout(timer);
    },
    readOnly: readOnly.set,
  };
}

/** A page in the background is not drawn; once a second it takes in what came nevertheless. */
const HIDDEN_MS = 1000;

function nextFrame(callback: () => void): void {
  let done = false;
  const once = () => {
    if (done) return;
    done = true;
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    callback();
  };
  const frame = requestAnimationFrame(once);
  const timer = setTimeout(once, HIDDEN_MS);
}

function openSocket(cluster: string, from: number | undefined): Socket {
  const scheme = window.location.protocol === "https:" ? "wss" : "ws";
  const resume = from === undefined ? "" : `?from=${from}`;
  const url = `${scheme}://${window.location.host}/ws/clusters/${encodeURIComponent(cluster)}/${resume}`;
  return new WebSocket(url) as unknown as Socket;
}

async function probe(cluster: string): Promise<Probe> {
  try {
    return { kind: "version", version: (await send(getCluster(cluster))).version };
  } catch (problem) {
    if (problem instanceof ApiError) return whatItMeans(problem);
    throw problem;
  }
}

function whatItMeans({ status, message }: ApiError): Probe {
  if (status === 404) return { kind: "gone", message };
  if (status > 0) return { kind: "trouble", why: status };
  return { kind: "trouble", why: navigator.onLine ? "silent" : "network" };
}
