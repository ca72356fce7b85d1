/** Whether the tour runs, and that it was seen: it comes by itself once in a browser, and never again. */
import { prefer } from "../../app/preferences";
import { openLeftTab } from "../../app/workbench";
import { createStore } from "../../model/store";
import { STEPS, type Step } from "./steps";

const KEY = "playground.tour";

export const tour = createStore<Step | undefined>(undefined);

export function startTour(): void {
  remember();
  // What the steps point at is to be seen.
  prefer({ leftOpen: true, rightOpen: true, queueOpen: true });
  openLeftTab("palette");
  tour.set(STEPS[0]);
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
