/** How the board looks now, for everything drawn on it: its colours, and what is looked for. */
import { createContext, useContext } from "react";
import type { ColourContext } from "../../model/colouring";
import type { Matches } from "../../model/matches";

export interface Look {
  readonly context: ColourContext;
  readonly matches: Matches | undefined;
}

const LookContext = createContext<Look>({
  context: { by: { kind: "utilisation", resource: "cpu" }, categories: undefined, decision: undefined },
  matches: undefined,
});

export const BoardLook = LookContext.Provider;

export const useLook = (): Look => useContext(LookContext);
