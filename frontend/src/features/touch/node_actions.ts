/** Everything that is done to nodes as a whole, one list for the menu of a card, the inspector and what is picked. */
import { t } from "../../app/messages";
import { type Deed, kubectlLine } from "../../interaction/deeds";
import { ZONE_LABEL } from "../../model/grouping";
import type { NodeCard } from "../../model/messages.generated";
import { shortResource } from "../../model/quantity";
import type { MenuItem } from "../../ui/menu";
import { openForm } from "./form_store";

export const groupLabelWord = (key: string): string => (key === ZONE_LABEL ? t.board.zone : shortResource(key));

type Do = (deed: Deed) => void;

const deedItem = (item: Omit<MenuItem, "run">, deed: Deed, act: Do): MenuItem => {
  const line = kubectlLine(deed);
  return { ...item, acts: true, ...(line && !item.tip ? { tip: line } : {}), run: () => act(deed) };
};

/** `label`: what the board is grouped by. */
export function nodeActions(nodes: readonly NodeCard[], label: string, act: Do): readonly MenuItem[] {
  const names = nodes.map(({ name }) => name);
  return [
    ...cordonItems(nodes, act),
    ...drainItems(nodes, act),
    ...powerItems(nodes, act),
    {
      id: "taint",
      label: t.nodeActions.taint,
      icon: "taint",
      run: () => openForm({ kind: "mark", mark: "taint", names }),
    },
    {
      id: "label",
      label: t.nodeActions.label,
      icon: "label",
      run: () => openForm({ kind: "mark", mark: "label", names }),
    },
    {
      id: "image",
      label: t.nodeActions.image,
      icon: "image",
      run: () => openForm({ kind: "mark", mark: "image", names }),
    },
    {
      id: "move-group",
      label: t.nodeActions.group(groupLabelWord(label || ZONE_LABEL)),
      icon: "group",
      run: () => openForm({ kind: "group", label: label || ZONE_LABEL, names }),
    },
    {
      id: "delete",
      label: t.nodeActions.remove,
      icon: "trash",
      danger: true,
      tip: kubectlLine({ kind: "delete_nodes", names }),
      run: () => openForm({ kind: "delete_nodes", names }),
    },
  ];
}

const namesOf = (nodes: readonly NodeCard[]): readonly string[] => nodes.map(({ name }) => name);

/** A node that is being drained is uncordoned by cancelling that first: the drain would go on. */
function cordonItems(nodes: readonly NodeCard[], act: Do): readonly MenuItem[] {
  const [open, closed] = [nodes.filter((node) => !node.unschedulable), nodes.filter((node) => node.unschedulable)];
  const edit = (some: readonly NodeCard[], unschedulable: boolean): Deed => ({
    kind: "edit_nodes",
    names: namesOf(some),
    edit: { kind: "cordon", unschedulable },
  });
  return [
    ...(open.length > 0
      ? [deedItem({ id: "cordon", label: t.nodeActions.cordon, icon: "cordon" }, edit(open, true), act)]
      : []),
    ...(closed.length > 0 && !closed.some(isDraining)
      ? [deedItem({ id: "uncordon", label: t.nodeActions.uncordon, icon: "cordon" }, edit(closed, false), act)]
      : []),
  ];
}

export const isDraining = ({ drain }: NodeCard): boolean => drain?.state === "draining";

function drainItems(nodes: readonly NodeCard[], act: Do): readonly MenuItem[] {
  const names = namesOf(nodes);
  const draining = namesOf(nodes.filter(isDraining));
  const drain: MenuItem = {
    id: "drain",
    label: t.nodeActions.drain,
    icon: "drain",
    tip: kubectlLine({ kind: "drain", names, options: {} }),
    run: () => openForm({ kind: "drain", names }),
  };
  if (draining.length === 0) return [drain];
  return [
    deedItem(
      { id: "cancel-drain", label: t.nodeActions.cancelDrain, icon: "close" },
      { kind: "cancel_drain", names: draining },
      act,
    ),
  ];
}

function powerItems(nodes: readonly NodeCard[], act: Do): readonly MenuItem[] {
  const [running, stopped] = [
    nodes.filter((node) => !node.kubelet_stopped),
    nodes.filter((node) => node.kubelet_stopped),
  ];
  const { fail, failTip, recover } = t.nodeActions;
  return [
    ...(running.length > 0
      ? [
          deedItem(
            { id: "fail", label: fail, icon: "power", tip: failTip },
            { kind: "fail", names: namesOf(running) },
            act,
          ),
        ]
      : []),
    ...(stopped.length > 0
      ? [deedItem({ id: "recover", label: recover, icon: "power" }, { kind: "recover", names: namesOf(stopped) }, act)]
      : []),
  ];
}
