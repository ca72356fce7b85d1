/** Numbers and counted things in a language, by the browser's own tables. */
export type PluralForms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string };

export interface Counting {
  /** With the language's separators: 50,000. */
  readonly number: (value: number) => string;
  /** "1 pod", "2 pods": the figure and the form that goes with it. */
  readonly counted: (count: number, forms: PluralForms) => string;
}

export function countingIn(language: string): Counting {
  const numbers = new Intl.NumberFormat(language);
  const rules = new Intl.PluralRules(language);
  const number = (value: number) => numbers.format(value);
  return {
    number,
    counted: (count, forms) => `${number(count)} ${forms[rules.select(count)] ?? forms.other}`,
  };
}
