/** Does a deed on a person's behalf; what was refused stays beside the control that was used. */
import { createContext, useCallback, useContext, useState } from "react";
import type { Deed } from "../../interaction/deeds";
import type { Failure } from "../../interaction/perform";
import type { Doer } from "./doer";

const DoerContext = createContext<Doer | undefined>(undefined);

export const DoerProvider = DoerContext.Provider;

export function useDoer(): Doer {
  const doer = useContext(DoerContext);
  if (!doer) throw new Error("used outside of DragAndDrop");
  return doer;
}

export interface DeedAction {
  readonly busy: boolean;
  readonly failures: readonly Failure[];
  /** Answers whether nothing was refused. */
  readonly run: (...deeds: readonly Deed[]) => Promise<boolean>;
  readonly clear: () => void;
}

const NONE: readonly Failure[] = [];

export function useDeed(): DeedAction {
  const doer = useDoer();
  const [running, setRunning] = useState(0);
  const [failures, setFailures] = useState(NONE);
  const run = useCallback(
    async (...deeds: readonly Deed[]) => {
      setFailures(NONE);
      setRunning((count) => count + 1);
      const refused: Failure[] = [];
      for (const deed of deeds) refused.push(...(await doer.do(deed)).failures);
      setRunning((count) => count - 1);
      setFailures(refused);
      return refused.length === 0;
    },
    [doer],
  );
  const clear = useCallback(() => setFailures(NONE), []);
  return { busy: running > 0, failures, run, clear };
}
