/**
 * The type of a message catalogue: the shape of the English one, with any text in place of its texts.
 *
 * A text is a string, or a function of the figures and names that stand in it, so that a language
 * may put them where it needs them and count in its own way.
 */
import type { t as english } from "./messages.en";

type AnyText<T> = T extends string
  ? string
  : T extends (...values: never[]) => unknown
    ? T
    : { readonly [Key in keyof T]: AnyText<T[Key]> };

type Part<T> = T extends string | ((...values: never[]) => unknown) ? T : { readonly [Key in keyof T]?: Part<T[Key]> };

export type Catalogue = AnyText<typeof english>;

/** A catalogue of another language: what it lacks is shown in English. */
export type Translation = Part<Catalogue>;
