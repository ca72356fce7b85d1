/**
 * What happened in the cluster, asked anew as it goes on.
 *
 * Counting a long history costs the server something, so it is asked at most every two seconds, and not more often than
 * ten times as long as the answer takes; not at all while the page is in the background or nothing happens.
 */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useClusterSlug, useFeed } from "../../app/cluster_context";
import type { Span } from "../../model/timeline";
import { asApiError } from "../../transport/errors";
import { getHistory } from "../../transport/history_api";
import { send } from "../../transport/rest";

const LEAST_PAUSE_MS = 2000;
const SLOTS = 300;

export function useHistory(span: Span | undefined) {
  const slug = useClusterSlug();
  const took = useRef(0);
  const version = useVersionNowAndThen(took);
  const { data, error } = useQuery({
    queryKey: ["history", slug, span?.first, span?.last, version],
    queryFn: async ({ signal }) => {
      const begun = performance.now();
      const answer = await send(getHistory(slug, { ...span, slots: SLOTS }), signal);
      took.current = performance.now() - begun;
      return answer;
    },
    placeholderData: keepPreviousData,
    gcTime: 0,
    retry: false,
  });
  return { history: data, error: error && !data ? asApiError(error) : undefined };
}

/** The cluster's version, told rarely. */
function useVersionNowAndThen(took: { readonly current: number }): number {
  const { state } = useFeed();
  const [version, setVersion] = useState(() => state.get()?.version ?? 0);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      timer = undefined;
      if (document.visibilityState === "visible") setVersion(state.get()?.version ?? 0);
    };
    const wait = () => {
      timer ??= setTimeout(look, Math.max(LEAST_PAUSE_MS, 10 * took.current));
    };
    const seen = () => document.visibilityState === "visible" && wait();
    const stop = state.subscribe(wait);
    document.addEventListener("visibilitychange", seen);
    wait();
    return () => {
      stop();
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", seen);
    };
  }, [state, took]);
  return version;
}
