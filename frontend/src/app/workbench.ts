/** What a person looks at: the selection, the open tabs, what the editor holds. */
import { createStore } from "../model/store";
import type { Resource } from "../transport/api";
import { prefer } from "./preferences";

export type Selection =
  | { readonly kind: "pod"; readonly uid: string; readonly sequence?: number }
  | { readonly kind: "node"; readonly uid: string }
  | { readonly kind: "workload"; readonly uid: string }
  | { readonly kind: "object"; readonly uid: string };

/** What the YAML editor was opened for. */
export type EditorTarget =
  /** `applied`: sent at once, as a person asked who dropped a file. */
  | { readonly kind: "new"; readonly yaml: string; readonly applied?: boolean }
  | { readonly kind: "object"; readonly resource: Resource; readonly namespace: string; readonly name: string };

export type LeftTab = "palette" | "workloads" | "objects";
export const RIGHT_TABS = ["inspector", "events", "editor", "schedulers"] as const;
export type RightTab = (typeof RIGHT_TABS)[number];

export interface Workbench {
  readonly selection: Selection | undefined;
  readonly leftTab: LeftTab;
  readonly rightTab: RightTab;
  readonly editor: EditorTarget;
}

const EMPTY: Workbench = {
  selection: undefined,
  leftTab: "palette",
  rightTab: "inspector",
  editor: { kind: "new", yaml: "" },
};

export const workbench = createStore<Workbench>(EMPTY);

const change = (part: Partial<Workbench>): void => workbench.set({ ...workbench.get(), ...part });

export const clearWorkbench = (): void => workbench.set(EMPTY);
export const openLeftTab = (leftTab: LeftTab): void => change({ leftTab });
export const openRightTab = (rightTab: RightTab): void => change({ rightTab });

/** Selects a thing and shows it in the inspector. */
export function select(selection: Selection | undefined): void {
  change(selection ? { selection, rightTab: "inspector" } : { selection });
  if (selection) prefer({ rightOpen: true });
}

export function openEditor(editor: EditorTarget): void {
  change({ editor, rightTab: "editor" });
  prefer({ rightOpen: true });
}

export const isSelected = (bench: Workbench, kind: Selection["kind"], uid: string): boolean =>
  bench.selection?.kind === kind && bench.selection.uid === uid;
