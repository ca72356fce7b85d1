/** What a written configuration would change, asked a moment after the last key. */
import { useEffect, useState } from "react";
import { useClusterSlug } from "../../app/cluster_context";
import type { ProfilesAnswer } from "../../transport/api_types";
import { type ApiError, asApiError } from "../../transport/errors";
import { putConfiguration } from "../../transport/extension_api";
import { send } from "../../transport/rest";

const PAUSE_MS = 400;

export interface DryRun {
  /** The text that was looked at. */
  readonly text: string;
  readonly answer?: ProfilesAnswer;
  readonly error?: ApiError;
}

/** The newest answer; it is about the present text once `text` is that. */
export function useDryRun(scheduler: string, text: string): DryRun | undefined {
  const slug = useClusterSlug();
  const [run, setRun] = useState<DryRun>();
  useEffect(() => {
    const leaving = new AbortController();
    const ask = async () => {
      try {
        setRun({ text, answer: await send(putConfiguration(slug, scheduler, text, true), leaving.signal) });
      } catch (thrown) {
        if (!leaving.signal.aborted) setRun({ text, error: asApiError(thrown) });
      }
    };
    const timer = setTimeout(() => void ask(), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [slug, scheduler, text]);
  return run;
}
