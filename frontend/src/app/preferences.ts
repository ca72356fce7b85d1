/** What a person set up and finds again: panel sizes, theme, the look of the board. Kept in this browser only. */
import { createStore } from "../model/store";

export interface Preferences {
  readonly theme: "system" | "light" | "dark";
  /** "system": as the browser asks for. */
  readonly language: string;
  readonly boardMode: "auto" | "cards" | "cells" | "heat" | "table";
  /** Label key; "" for one group of all. */
  readonly groupBy: string;
  /** As `model/colouring.ts` writes a way of colouring. */
  readonly colourBy: string;
  readonly leftWidth: number;
  readonly rightWidth: number;
  readonly queueHeight: number;
  readonly leftOpen: boolean;
  readonly rightOpen: boolean;
  readonly queueOpen: boolean;
}

const DEFAULTS: Preferences = {
  theme: "system",
  language: "system",
  boardMode: "auto",
  groupBy: "topology.kubernetes.io/zone",
  colourBy: "utilisation:cpu",
  leftWidth: 256,
  rightWidth: 380,
  // A fifth of the window: the board keeps most of it.
  queueHeight: Math.round(Math.min(220, Math.max(132, window.innerHeight * 0.2))),
  leftOpen: true,
  rightOpen: true,
  queueOpen: true,
};

const KEY = "playground.preferences";

function stored(): Preferences {
  try {
    const read: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return { ...DEFAULTS, ...(typeof read === "object" ? read : {}) };
  } catch (problem) {
    console.warn("Preferences could not be read; the defaults are used.", problem);
    return DEFAULTS;
  }
}

export const preferences = createStore<Preferences>(stored());

export function prefer(change: Partial<Preferences>): void {
  preferences.set({ ...preferences.get(), ...change });
  try {
    localStorage.setItem(KEY, JSON.stringify(preferences.get()));
  } catch (problem) {
    console.warn("Preferences could not be kept.", problem);
  }
}

/** Keeps <html data-theme> in step; without it the style sheet follows the system. */
export function followTheme(): void {
  const apply = () => {
    const { theme } = preferences.get();
    if (theme === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  };
  apply();
  preferences.subscribe(apply);
}
