/** Presets under the headings the server gives them, in its order. */
import type { Preset } from "../../transport/api_types";

export interface PresetGroup {
  readonly title: string;
  readonly presets: readonly Preset[];
}

export function groupsOf(presets: readonly Preset[]): readonly PresetGroup[] {
  const groups = new Map<string, Preset[]>();
  for (const preset of presets) groups.set(preset.group, [...(groups.get(preset.group) ?? []), preset]);
  return [...groups].map(([title, presets]) => ({ title, presets }));
}
