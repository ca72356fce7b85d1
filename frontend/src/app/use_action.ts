/** Sends a request on a person's behalf and keeps what became of it beside the control that was used. */
import { useCallback, useState } from "react";
import { type ApiError, asApiError } from "../transport/errors";
import { type ApiRequest, send } from "../transport/rest";

export interface Action {
  readonly busy: boolean;
  readonly error: ApiError | undefined;
  /** Resolves to the answer, or to undefined after an error (which is then in `error`). */
  readonly run: <T>(asked: ApiRequest<T>) => Promise<T | undefined>;
  readonly clear: () => void;
}

export function useAction(): Action {
  const [running, setRunning] = useState(0);
  const [error, setError] = useState<ApiError>();
  const run = useCallback(async <T>(asked: ApiRequest<T>): Promise<T | undefined> => {
    setError(undefined);
    setRunning((count) => count + 1);
    try {
      return await send(asked);
    } catch (thrown) {
      setError(asApiError(thrown));
      return undefined;
    } finally {
      setRunning((count) => count - 1);
    }
  }, []);
  const clear = useCallback(() => setError(undefined), []);
  return { busy: running > 0, error, run, clear };
}
