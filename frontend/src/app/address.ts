/**
 * What stands behind the `?` of a cluster's address: the selection, the open panel, the board's look and filter.
 *
 *     ?pod=<uid>&decision=12&panel=events&view=heat&group=zone&colour=namespace&filter=app%3Dweb
 *
 * So a page that is loaded again, or sent to somebody else, shows the same. What is as it usually is
 * is left out. Parameters of others are let stand.
 */
import { BOARD_MODES, DEFAULTS, type Preferences } from "./preferences";
import { RIGHT_TABS, type RightTab, type Selection } from "./workbench";

export type Look = Pick<Preferences, "boardMode" | "groupBy" | "colourBy">;

export interface Place {
  readonly selection: Selection | undefined;
  readonly panel: RightTab;
  readonly look: Look;
  readonly filter: string;
}

const KINDS = ["pod", "node", "workload", "object"] as const;
const OURS = [...KINDS, "decision", "panel", "view", "group", "colour", "filter"];

/** Longer ones are not an address any more. */
const LONGEST_FILTER = 500;

export const usualLook = ({ boardMode, groupBy, colourBy }: Look = DEFAULTS): Look => ({
  boardMode,
  groupBy,
  colourBy,
});

export function placeOf(search: string): Place {
  const asked = new URLSearchParams(search);
  return {
    selection: selectionOf(asked),
    panel: oneOf(RIGHT_TABS, asked.get("panel")) ?? "inspector",
    look: {
      boardMode: oneOf(BOARD_MODES, asked.get("view")) ?? DEFAULTS.boardMode,
      groupBy: asked.get("group") ?? DEFAULTS.groupBy,
      colourBy: asked.get("colour") ?? DEFAULTS.colourBy,
    },
    filter: (asked.get("filter") ?? "").slice(0, LONGEST_FILTER),
  };
}

function selectionOf(asked: URLSearchParams): Selection | undefined {
  const kind = KINDS.find((each) => asked.get(each));
  if (!kind) return undefined;
  const uid = asked.get(kind) ?? "";
  const sequence = Number(asked.get("decision") ?? Number.NaN);
  return kind === "pod" && Number.isSafeInteger(sequence) ? { kind, uid, sequence } : { kind, uid };
}

const oneOf = <T extends string>(all: readonly T[], text: string | null): T | undefined =>
  all.find((each) => each === text);

/** The address of a place, keeping what `search` has of others. */
export function searchOf({ selection, panel, look, filter }: Place, search = ""): string {
  const written = new URLSearchParams(search);
  for (const name of OURS) written.delete(name);
  if (selection) written.set(selection.kind, selection.uid);
  if (selection?.kind === "pod" && selection.sequence !== undefined) written.set("decision", `${selection.sequence}`);
  if (panel !== "inspector") written.set("panel", panel);
  if (look.boardMode !== DEFAULTS.boardMode) written.set("view", look.boardMode);
  if (look.groupBy !== DEFAULTS.groupBy) written.set("group", look.groupBy);
  if (look.colourBy !== DEFAULTS.colourBy) written.set("colour", look.colourBy);
  if (filter !== "") written.set("filter", filter);
  const text = written.toString();
  return text === "" ? "" : `?${text}`;
}

/** Whether a person went somewhere, which the Back button undoes; a changed look only rewrites the address. */
export const isAStep = (one: Place, other: Place): boolean =>
  one.panel !== other.panel ||
  searchOf({ ...one, look: usualLook(), filter: "" }) !== searchOf({ ...other, look: usualLook(), filter: "" });
