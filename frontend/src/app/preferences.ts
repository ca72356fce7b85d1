/** What a person set up and finds again: panel sizes, theme, the look of the board. Kept in this browser only. */
import { createStore } from "../model/store";

export const BOARD_MODES = ["auto", "cards", "cells", "heat", "table"] as const;
export type BoardMode = (typeof BOARD_MODES)[number];

export interface Preferences {
  readonly theme: "system" | "light" | "dark";
  /** "system": as the browser asks for. */
  readonly language: string;
  readonly boardMode: BoardMode;
  /** Label key; "" for one group of all. */
  readonly groupBy: string;
  /** As `model/colouring.ts` writes a way of colouring. */
  readonly colourBy: string;
  /** What a pod dropped on a node means; "ask" until somebody said. */
  readonly dropWay: "ask" | "hand" | "affinity";
  readonly leftWidth: number;
  readonly rightWidth: number;
  readonly queueHeight: number;
  readonly leftOpen: boolean;
  readonly rightOpen: boolean;
  readonly queueOpen: boolean;
  readonly timelineOpen: boolean;
  readonly timelineAxis: "time" | "changes";
}

/** Texts are read in places without a window, too: tests of pure functions. */
const WINDOW_HEIGHT = typeof window === "undefined" ? 800 : window.innerHeight;
const WINDOW_WIDTH = typeof window === "undefined" ? 1280 : window.innerWidth;

export const DEFAULTS: Preferences = {
  theme: "system",
  language: "system",
  boardMode: "auto",
  groupBy: "topology.kubernetes.io/zone",
  colourBy: "utilisation:cpu",
  dropWay: "ask",
  leftWidth: 256,
  // A quarter of a large window, so that a score table is seen whole.
  rightWidth: Math.round(Math.min(520, Math.max(380, WINDOW_WIDTH / 4))),
  // A fifth of the window: the board keeps most of it.
  queueHeight: Math.round(Math.min(220, Math.max(132, WINDOW_HEIGHT * 0.2))),
  leftOpen: true,
  rightOpen: true,
  queueOpen: true,
  timelineOpen: true,
  timelineAxis: "time",
};

/** Of a panel; no screen is as large. */
const MOST_PIXELS = 10_000;

const KEY = "playground.preferences";

/** Narrower than this (a tablet), the panels beside the board are sheets over it: closed until somebody opens one. */
const narrow = typeof window === "undefined" ? undefined : window.matchMedia("(max-width: 1199px)");
const SHEETS_CLOSED = { leftOpen: false, rightOpen: false };

/** A browser that keeps nothing at all refuses already to be asked whether it does. */
function stored(): Preferences {
  try {
    return typeof localStorage === "undefined" ? DEFAULTS : preferencesOf(localStorage.getItem(KEY) ?? "{}");
  } catch (problem) {
    console.warn("Preferences could not be read; the defaults are used.", problem);
    return DEFAULTS;
  }
}

const CHOICES: { readonly [Name in keyof Preferences]?: readonly Preferences[Name][] } = {
  theme: ["system", "light", "dark"],
  boardMode: BOARD_MODES,
  dropWay: ["ask", "hand", "affinity"],
  timelineAxis: ["time", "changes"],
};

/** What another version of the page may have kept is taken where it still means something, field by field. */
export function preferencesOf(text: string): Preferences {
  const read: unknown = JSON.parse(text);
  if (typeof read !== "object" || read === null) return DEFAULTS;
  const kept = Object.entries(read).filter(([name, value]) => isMeant(name, value));
  return { ...DEFAULTS, ...Object.fromEntries(kept) };
}

function isMeant(name: string, value: unknown): boolean {
  if (!Object.hasOwn(DEFAULTS, name)) return false;
  const known = name as keyof Preferences;
  const choices: readonly unknown[] | undefined = CHOICES[known];
  if (choices) return choices.includes(value);
  return typeof value === typeof DEFAULTS[known] && (typeof value !== "number" || (value >= 0 && value <= MOST_PIXELS));
}

const sheets = (all: Preferences): Preferences => (narrow?.matches ? { ...all, ...SHEETS_CLOSED } : all);

export const panelsAreSheets = (): boolean => narrow?.matches ?? false;

export const preferences = createStore<Preferences>(sheets(stored()));

// Turned, or made smaller: sheets begin closed, panels as they were left.
narrow?.addEventListener("change", () => {
  const { leftOpen, rightOpen } = stored();
  preferences.set(sheets({ ...preferences.get(), leftOpen, rightOpen }));
});

export function prefer(change: Partial<Preferences>): void {
  preferences.set({ ...preferences.get(), ...change });
  try {
    localStorage.setItem(KEY, JSON.stringify(toKeep()));
  } catch (problem) {
    console.warn("Preferences could not be kept.", problem);
  }
}

/** Whether a sheet is open is of the moment, not of the person. */
function toKeep(): Preferences {
  const { leftOpen, rightOpen } = stored();
  return narrow?.matches ? { ...preferences.get(), leftOpen, rightOpen } : preferences.get();
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
