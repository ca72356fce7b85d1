/** Whether the tour runs, and that it was seen: it comes by itself once in a browser, and never again. */
import { panelsAreSheets, prefer } from "../../app/preferences";
import { openLeftTab } from "../../app/workbench";
import { createStore } from "../../model/store";
import { STEPS, type Step } from "./steps";

const KEY = "playground.tour";

export const tour = createStore<Step | undefined>(undefined);

export function startTour(): void {
  remember();
  openLeftTab("palette");
  goTo(STEPS[0]);
}

/** What the step points at is to be seen, and on a tablet not to be covered by another sheet. */
export function goTo(step: Step): void {
  const sheets = panelsAreSheets();
  prefer({ leftOpen: !sheets || step === "palette", rightOpen: !sheets || step === "inspector", queueOpen: true });
  tour.set(step);
}

export const endTour = (): void => tour.set(undefined);

/** The first time only. */
export function startTourOnce(): void {
  if (!wasSeen()) startTour();
}

function wasSeen(): boolean {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    // A browser that remembers nothing would show it every time.
    return true;
  }
}

function remember(): void {
  try {
    localStorage.setItem(KEY, "seen");
  } catch (problem) {
    console.warn("That the tour was seen could not be kept.", problem);
  }
}
