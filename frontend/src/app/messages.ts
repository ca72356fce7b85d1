/**
 * The texts of the page in the language it speaks: the only door to them.
 *
 * English is always there. Another language is a file beside it, `messages.<language>.ts`, whose
 * default export is a `Translation`; it is found by its name, loaded before the page is drawn, and
 * whatever it lacks is shown in English. `t` never changes after that: choosing another language
 * loads the page anew, so that a text may be read anywhere, once.
 */
import type { Catalogue, Translation } from "./catalogue";
import { completed, languageFor } from "./languages";
import { t as english } from "./messages.en";
import { preferences } from "./preferences";

type Loader = () => Promise<{ readonly default: Translation }>;

const FILES = import.meta.glob<{ readonly default: Translation }>(["./messages.??.ts", "!./messages.en.ts"]);

const LOADERS: ReadonlyMap<string, Loader> = new Map(
  Object.entries(FILES).map(([path, load]) => [/messages\.(..)\.ts$/.exec(path)?.[1] ?? path, load]),
);

export const languages: readonly string[] = ["en", ...LOADERS.keys()];

export let language = "en";
export let t: Catalogue = english;

/** Before anything is drawn. A catalogue that cannot be loaded is no reason to show nothing. */
export async function loadMessages(): Promise<void> {
  language = languageFor(wantedLanguages(), languages);
  document.documentElement.lang = language;
  const load = LOADERS.get(language);
  if (!load) return;
  try {
    t = completed(english, (await load()).default);
  } catch (problem) {
    console.warn(`The texts in "${language}" could not be loaded; the page speaks English.`, problem);
  }
}

function wantedLanguages(): readonly string[] {
  const { language: chosen } = preferences.get();
  return chosen === "system" ? navigator.languages : [chosen];
}
