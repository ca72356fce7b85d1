/** What the panel shows: which part, and of which scheduler. */

import { prefer } from "../../app/preferences";
import { openRightTab } from "../../app/workbench";
import { createStore } from "../../model/store";

export type Part = "schedulers" | "configuration" | "plugins";

export interface SchedulersView {
  readonly part: Part;
  /** Whose configuration is open; undefined: the first one's. */
  readonly scheduler: string | undefined;
}

export const schedulersView = createStore<SchedulersView>({ part: "schedulers", scheduler: undefined });

export const showPart = (part: Part): void => schedulersView.set({ ...schedulersView.get(), part });

export function openConfiguration(scheduler?: string): void {
  schedulersView.set({ part: "configuration", scheduler });
  openRightTab("schedulers");
  prefer({ rightOpen: true });
}
