/** What a field is, where the pointer rests on its name. */
import type { Extension } from "@codemirror/state";
import { hoverTooltip, type TooltipView } from "@codemirror/view";
import { fieldAt, type OutlineField } from "../../model/outline";
import { typeText } from "../../model/yaml_options";
import { fieldNamedAt } from "../../model/yaml_place";
import type { YamlHelp } from "./yaml_help";

export function yamlTooltip(help: YamlHelp): Extension {
  return hoverTooltip(async (view, position) => {
    const named = fieldNamedAt(view.state.doc.toString(), position);
    if (!named) return null;
    const outline = await help.outlineOf(named.scalarAt(["kind"]));
    const field = outline && fieldAt(outline, named.path, named.scalarAt);
    return field ? { pos: position, create: () => explained(field) } : null;
  });
}

function explained(field: OutlineField): TooltipView {
  const dom = document.createElement("div");
  const lines = [typeText(field), field.doc, field.values.join(", ")].filter(Boolean);
  dom.append(
    ...lines.map((line) => {
      const part = document.createElement("div");
      part.textContent = line;
      return part;
    }),
  );
  dom.dataset.explains = "";
  return { dom };
}
