/**
 * Whether controls that change something may be used.
 *
 * A control marked `acts` is disabled while the page does not show the present: what somebody sees
 * when they press it must be what there is.
 */
import { createContext, useContext } from "react";

export const ActingContext = createContext(true);

/** True where a control must stand still. */
export function useIsHeld(acts: boolean): boolean {
  const mayAct = useContext(ActingContext);
  return acts && !mayAct;
}
