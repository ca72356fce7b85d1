/** YAML in an editor: coloured, folded, completed and explained by an outline, looked through while it is written. */
import { yaml } from "@codemirror/lang-yaml";
import { foldGutter, HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { tags } from "@lezer/highlight";
import { useMemo } from "react";
import { CodeView, type CodeViewProps, type LineProblem } from "./code_view";
import { useHints } from "./use_hints";
import { yamlCompletion } from "./yaml_completion";
import type { YamlHelp } from "./yaml_help";
import { yamlTooltip } from "./yaml_tooltip";

export type { LineProblem };

interface YamlViewProps extends Omit<CodeViewProps, "extensions" | "hints"> {
  readonly help: YamlHelp;
}

const COLOURS = HighlightStyle.define([
  { tag: tags.propertyName, color: "var(--accent)" },
  { tag: [tags.string, tags.content], color: "var(--text)" },
  { tag: [tags.comment, tags.meta, tags.punctuation, tags.separator], color: "var(--muted)" },
  { tag: [tags.keyword, tags.atom, tags.labelName], color: "var(--m-nominated)" },
]);

export function YamlView({ help, ...view }: YamlViewProps) {
  const extensions = useMemo<Extension>(
    () => [foldGutter(), yaml(), syntaxHighlighting(COLOURS), yamlCompletion(help), yamlTooltip(help)],
    [help],
  );
  return <CodeView {...view} hints={useHints(view.text, help)} extensions={extensions} />;
}
