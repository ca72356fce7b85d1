/** Keeps the address of the page and what it shows in step, in both directions. */
import { useEffect } from "react";
import { filterText } from "../features/board/board_filter";
import { isAStep, type Place, placeOf, searchOf, usualLook } from "./address";
import { prefer, preferences } from "./preferences";
import { pathOf } from "./routes";
import { clearWorkbench, openRightTab, select, workbench } from "./workbench";

const shownPlace = (): Place => ({
  selection: workbench.get().selection,
  panel: workbench.get().rightTab,
  look: usualLook(preferences.get()),
  filter: filterText.get(),
});

function show(place: Place): void {
  prefer(place.look);
  filterText.set(place.filter);
  select(place.selection);
  openRightTab(place.panel);
}

/** An address without anything keeps the look that this person is used to; any other says all of it. */
function open(search: string): void {
  const place = placeOf(search);
  clearWorkbench();
  show(search === "" ? { ...place, look: usualLook(preferences.get()) } : place);
}

export function useFollowAddress(cluster: string): void {
  useEffect(() => {
    open(window.location.search);
    let ended = false;
    let written = shownPlace();
    write(written, "replaceState");
    const follow = () => {
      if (ended) return;
      const place = shownPlace();
      const how = isAStep(written, place) ? "pushState" : "replaceState";
      written = place;
      write(place, how);
    };
    const goBack = () => {
      // Back to another cluster or to the start page: this one ends.
      if (pathOf({ page: "cluster", cluster }) !== window.location.pathname.replace(/\/$/, "")) return;
      show(placeOf(window.location.search));
      written = shownPlace();
    };
    const stops = [workbench, preferences, filterText].map((store) => store.subscribe(queued(follow)));
    window.addEventListener("popstate", goBack);
    return () => {
      ended = true;
      window.removeEventListener("popstate", goBack);
      for (const stop of stops) stop();
    };
  }, [cluster]);
}

/** Selecting a thing changes several stores at once: one step. */
function queued(run: () => void): () => void {
  let waiting = false;
  return () => {
    if (waiting) return;
    waiting = true;
    queueMicrotask(() => {
      waiting = false;
      run();
    });
  };
}

function write(place: Place, how: "pushState" | "replaceState"): void {
  const { pathname, search, hash } = window.location;
  const wanted = searchOf(place, search);
  if (wanted !== search) window.history[how](null, "", `${pathname}${wanted}${hash}`);
}
