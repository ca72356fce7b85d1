/** Completion of keys and values by outline. */
import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  completionKeymap,
  startCompletion,
} from "@codemirror/autocomplete";
import type { Extension } from "@codemirror/state";
import { type EditorView, keymap } from "@codemirror/view";
import { optionsAt, type YamlOption } from "../../model/yaml_options";
import { placeAt, type YamlPlace } from "../../model/yaml_place";
import type { KindCard } from "../../transport/extension_api";
import type { YamlHelp } from "./yaml_help";

export function yamlCompletion(help: YamlHelp): Extension {
  return [
    autocompletion({ override: [(context) => complete(context, help)], icons: false, maxRenderedOptions: 60 }),
    keymap.of(completionKeymap),
  ];
}

async function complete(context: CompletionContext, help: YamlHelp): Promise<CompletionResult | null> {
  const place = placeAt(context.state.doc.toString(), context.pos);
  if (!place || (place.at === "key" && place.typed === "" && !context.explicit)) return null;
  const options = await optionsOf(place, help);
  if (options.length === 0 || context.aborted) return null;
  return { from: place.from, options: options.map(completionOf), validFor: /^[\w./*-]*$/ };
}

/** The document's kind is chosen among all; what else it has is by its outline. */
export async function optionsOf(place: YamlPlace, help: YamlHelp): Promise<readonly YamlOption[]> {
  const kind = place.scalarAt(["kind"]);
  const outline = await help.outlineOf(kind);
  const kinds = place.path.length === (place.at === "key" ? 0 : 1) ? await help.kinds() : [];
  if (kinds.length > 0 && place.at === "value") {
    const words = kindWords(place, kinds);
    if (words.length > 0) return words.map(word);
  }
  if (outline) return optionsAt(outline, place);
  return place.at === "key" && place.path.length === 0 ? FIRST.filter(({ label }) => !place.siblings.has(label)) : [];
}

function kindWords({ path: [field], scalarAt }: YamlPlace, kinds: readonly KindCard[]): readonly string[] {
  const [kind, version] = [scalarAt(["kind"]), scalarAt(["apiVersion"])];
  if (field === "kind") {
    const fitting = kinds.filter((each) => !version || each.api_version === version);
    return (fitting.length > 0 ? fitting : kinds).map((each) => each.kind);
  }
  if (field !== "apiVersion") return [];
  const fitting = kinds.filter((each) => !kind || each.kind === kind);
  return [...new Set((fitting.length > 0 ? fitting : kinds).map((each) => each.api_version))];
}

const word = (label: string): YamlOption => ({ label, insert: label, type: "", doc: "", required: false });

/** A document begins with these. */
const FIRST: readonly YamlOption[] = ["apiVersion", "kind", "metadata", "spec"].map((label) => ({
  ...word(label),
  insert: label === "metadata" || label === "spec" ? `${label}:\n  ` : `${label}: `,
}));

function completionOf(option: YamlOption, rank: number): Completion {
  return {
    label: option.label,
    detail: option.required ? `${option.type} *` : option.type,
    // The order is the outline's: what is required first.
    boost: -rank / 10,
    ...(option.doc && { info: option.doc }),
    apply: (view, _, from, to) => insert(view, option, from, to),
  };
}

function insert(view: EditorView, option: YamlOption, from: number, to: number): void {
  // A key that has its colon already is only renamed.
  const follows = view.state.sliceDoc(to, to + 1);
  const text = follows === ":" ? option.label : option.insert;
  view.dispatch({
    changes: { from, to, insert: text },
    selection: { anchor: from + text.length },
    userEvent: "input.complete",
    scrollIntoView: true,
  });
  if (option.type !== "" && follows !== ":") startCompletion(view);
}
