/**
 * The colours of a canvas, which knows no style sheets: tokens are asked of the document once per theme.
 *
 * Levels go from pale to deep in the light theme and from dim to bright in the dark one, one hue, so they
 * can be told apart without seeing colours. Categories are eight hues that stay apart with the usual kinds
 * of colour blindness; none of them is the red of harm.
 */
import { MOST_CATEGORIES, type Verdict } from "../../model/colouring";

export interface Colours {
  /** From 0 to full. */
  readonly levels: readonly string[];
  /** Text that is readable on the level of the same place. */
  readonly levelTexts: readonly string[];
  /** The last one is for all others. */
  readonly categories: readonly string[];
  readonly verdicts: Readonly<Record<Verdict, { readonly strong: string; readonly soft: string }>>;
  readonly bg: string;
  readonly region: string;
  readonly tile: string;
  readonly line: string;
  readonly lineStrong: string;
  readonly text: string;
  readonly muted: string;
  readonly accent: string;
  readonly danger: string;
  readonly dangerSoft: string;
}

const LEVELS = 16;
const STOPS = {
  light: ["#e6eef8", "#bcd3ee", "#86b4df", "#4a8bc7", "#1c5da0", "#0b3160"],
  dark: ["#2a394b", "#264a70", "#2f6ca6", "#4a95d6", "#86bff0", "#d8ecff"],
} as const;
const CATEGORIES = {
  light: ["#0072b2", "#d98200", "#00866a", "#8659c0", "#3aa0dc", "#9c8a00", "#c2629b", "#6f5a46", "#8692a3"],
  dark: ["#3f9fe0", "#f0a53c", "#35b893", "#ab8ae6", "#8fd0f7", "#d3c13c", "#e18fbf", "#b09a84", "#66748a"],
} as const;

export type Scheme = keyof typeof STOPS;

const DARK_TEXT = "#0b1220";
const LIGHT_TEXT = "#ffffff";

export function coloursOf(root: HTMLElement): Colours {
  const token = tokenReader(root);
  const scheme = schemeOf(token("--bg"));
  const levels = levelsOf(STOPS[scheme]);
  const verdict = (name: Verdict) => ({ strong: token(`--m-${name}`), soft: token(`--m-${name}-soft`) });
  return {
    levels,
    levelTexts: levels.map(textOn),
    categories: CATEGORIES[scheme],
    verdicts: { fits: verdict("fits"), rejected: verdict("rejected"), unresolvable: verdict("unresolvable") },
    bg: token("--bg"),
    region: token("--sunken"),
    tile: token("--raised"),
    line: token("--line"),
    lineStrong: token("--line-strong"),
    text: token("--text"),
    muted: token("--muted"),
    accent: token("--accent"),
    danger: token("--danger"),
    dangerSoft: token("--danger-soft"),
  };
}

/** A custom property's text may be `light-dark(...)`; as the colour of an element it is what it comes to. */
function tokenReader(root: HTMLElement): (name: string) => string {
  return (name) => {
    root.style.color = `var(${name})`;
    const colour = getComputedStyle(root).color;
    root.style.color = "";
    return colour;
  };
}

export const schemeOf = (background: string): Scheme => (luminanceOf(channelsOf(background)) < 0.4 ? "dark" : "light");

function levelsOf(stops: readonly string[]): readonly string[] {
  return Array.from({ length: LEVELS }, (_, step) => {
    const at = (step / (LEVELS - 1)) * (stops.length - 1);
    const low = Math.min(Math.floor(at), stops.length - 2);
    return mixed(stops[low] ?? "", stops[low + 1] ?? "", at - low);
  });
}

function mixed(from: string, to: string, share: number): string {
  const a = channelsOf(from);
  const b = channelsOf(to);
  return `rgb(${a.map((value, index) => Math.round(value + ((b[index] ?? 0) - value) * share)).join(", ")})`;
}

/** Red, green and blue of `#rrggbb` or `rgb(...)`. */
export function channelsOf(colour: string): readonly number[] {
  const hex = /^#(..)(..)(..)$/.exec(colour);
  if (hex) return hex.slice(1).map((pair) => Number.parseInt(pair, 16));
  return (colour.match(/[\d.]+/g) ?? ["255", "255", "255"]).slice(0, 3).map(Number);
}

/** As WCAG has it, 0 to 1. */
export function luminanceOf(channels: readonly number[]): number {
  const [r = 0, g = 0, b = 0] = channels.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

const contrast = (a: number, b: number): number => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);

export function textOn(colour: string): string {
  const background = luminanceOf(channelsOf(colour));
  const dark = contrast(background, luminanceOf(channelsOf(DARK_TEXT)));
  return dark >= contrast(background, 1) ? DARK_TEXT : LIGHT_TEXT;
}

export const levelIndex = (level: number): number => Math.round(Math.min(1, Math.max(0, level)) * (LEVELS - 1));

export const categoryColour = (colours: Colours, index: number): string =>
  colours.categories[Math.min(index, MOST_CATEGORIES)] ?? colours.lineStrong;

const inBothSchemes = (light: string | undefined, dark: string | undefined): string => `light-dark(${light}, ${dark})`;

/** For style sheets, which know both schemes at once. */
export const categoryCss = (index: number): string =>
  inBothSchemes(CATEGORIES.light[Math.min(index, MOST_CATEGORIES)], CATEGORIES.dark[Math.min(index, MOST_CATEGORIES)]);

const BOTH_LEVELS = { light: levelsOf(STOPS.light), dark: levelsOf(STOPS.dark) };

export const levelCss = (level: number): string =>
  inBothSchemes(BOTH_LEVELS.light[levelIndex(level)], BOTH_LEVELS.dark[levelIndex(level)]);
