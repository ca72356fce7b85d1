/** Texts of what is done by hand: drags, picks, forms for nodes and pods, undo. */
import { countingIn } from "./counting";

const { number, counted } = countingIn("en");
const plural = (count: number, one: string, many = `${one}s`) => counted(count, { one, other: many });

/** The one there is, else how many. */
const nodesText = (names: readonly string[]) => (names.length === 1 ? (names[0] ?? "") : plural(names.length, "node"));
const podsText = (names: readonly string[]) => (names.length === 1 ? (names[0] ?? "") : plural(names.length, "pod"));

export const touchTexts = {
  drag: {
    pickedUp: (what: string) => `Picked up ${what}.`,
    instructions:
      "Press Space to pick up. While dragging, the arrow keys go from node to node; Space or Enter drops, Escape cancels.",
    podKeys: "Space picks the pod up to move it, Ctrl and Space picks it together with others.",
    overNode: (node: string, verdict: string) => `Over node ${node}: ${verdict}.`,
    overBoard: "Over the board.",
    overGroup: (group: string) => `Over ${group}.`,
    cancelled: "Dropped nowhere; nothing was changed.",
    checking: "asking the scheduler…",
    nodeGone: (node: string) => `node ${node} was deleted meanwhile; nothing was changed`,
    verdictFits: (score: number | null) => (score === null ? "fits" : `fits, score ${score}`),
    verdictsOfMany: (asked: number, of: number) =>
      asked < of ? `the first ${asked} of ${of} pods, each asked about alone` : "each pod asked about alone",
    unknown: "unknown",
    isThere: "is there already",
    pods: podsText,
    nodes: nodesText,
    dropPending: "Drop on a node of your choice",
    dropRunning: "Drop on another node to move it there",
    dropBoard: "Drop here: the scheduler chooses the node",
    dropNewNode: "Drop to add this node",
    dropMark: (nodes: number) =>
      nodes > 1 ? `Drop on a node; on a picked one: on all ${number(nodes)}` : "Drop on a node to put it there",
    dropNodes: (label: string) => `Drop in another region: sets the label ${label}`,
    noGroups: "Group the board by a label to move nodes between its regions",
    marks: { new: "added here", there: "there already", replaces: (before: string) => `replaces ${before}` },
    toGroup: (group: string) => `to ${group}`,
  },

  dropNote: {
    title: (what: string, node: string) => `${what} on ${node}`,
    fits: (score: number | null) => (score === null ? "It fits." : `It fits, with score ${score}.`),
    rejected: "The scheduler would not choose this node:",
    notAsked: "The scheduler did not answer whether it fits this node.",
    hand: "Bind by hand",
    handTip: "A Binding: no scheduler is asked, only the kubelet looks at it",
    affinity: "With nodeAffinity",
    affinityTip: "A pod that may only run here: the scheduler decides, and says no if it must",
    affinityPending: "It replaces the pending pod.",
    move: "Move anyway",
    moveTip: "It is evicted, and a copy that may only run here is scheduled, or waits",
    remember: "Do the same from now on",
    kubeletRejects: (reason: string) =>
      `Bound by hand, the kubelet rejects it: it becomes Failed with reason ${reason}, and nothing moves it elsewhere.`,
    kubeletRuns: "Bound by hand it runs all the same: the kubelet does not check this rule.",
    kubeletUnknown: "Bound by hand to where it does not fit, the kubelet rejects it: it becomes Failed and stays so.",
    staysPending: "With nodeAffinity it stays pending until that changes.",
    owned: (owners: string) => `${owners} makes a replacement of its own: there will be one pod more than before.`,
    refusedTitle: (node: string) => (node === "" ? "Refused" : `Refused on ${node}`),
    about: (what: string) => `${what}:`,
    more: (count: number) => `and ${number(count)} more`,
  },

  marks: {
    kinds: { taint: "Taint", label: "Label", image: "Image" },
    titles: { taint: "Taints", label: "Labels", image: "Images" },
    hint: "Change it, then drag it onto a node, or press Space and the arrow keys.",
    hold: (mark: string) => `Drag ${mark} onto a node`,
    fields: { taint: "key=value:Effect", label: "key=value", image: "name=size" },
    problems: {
      label: "A label is written key=value; the key is letters, digits, - _ . with an optional domain/ before it.",
      value: "A value has at most 63 letters, digits, - _ . and begins and ends with a letter or digit.",
      taint: "A taint is written key=value:Effect or key:Effect.",
      effect: "The effect is NoSchedule, PreferNoSchedule or NoExecute.",
      image: "An image is written name or name=size, such as registry.example/app:1.0=200Mi.",
      quantity: "An amount is written like 2, 500m, 4Gi or 200Mi.",
      resource: "A resource is written name=amount, such as example.com/gpu=2.",
    },
  },

  dropWay: {
    label: "A pod dropped on a node",
    ask: "asks how",
    hand: "is bound by hand",
    affinity: "gets nodeAffinity",
  },

  picks: {
    count: (nodes: number, pods: number) =>
      [nodes > 0 && plural(nodes, "node"), pods > 0 && plural(pods, "pod")].filter(Boolean).join(", "),
    picked: "picked",
    clear: "Pick nothing",
    bar: "What is picked",
  },

  nodeActions: {
    taint: "Add taint…",
    label: "Add label…",
    image: "Add image…",
    group: (label: string) => `Move to ${label}…`,
    cordon: "Cordon",
    uncordon: "Uncordon",
    drain: "Drain…",
    cancelDrain: "Cancel drain",
    fail: "Let it fail",
    failTip: "Its kubelet stops; 50 s of cluster time later the node is NotReady and tainted",
    recover: "Let it recover",
    remove: "Delete…",
    failed: "kubelet stopped",
    failedTip: "Its kubelet does not answer. Let it recover from the node's menu.",
    draining: "draining",
  },

  podActions: {
    moveTo: "Move to…",
    bindTo: "Place on…",
    remove: "Delete",
  },

  forms: {
    mark: { taint: "Add a taint", label: "Add a label", image: "Add an image" },
    onNodes: (names: readonly string[]) => `On ${nodesText(names)}`,
    add: "Add",
    group: (label: string) => `Move to another ${label}`,
    groupField: (key: string) => `Value of ${key}`,
    groupHint: "Empty takes the label away.",
    change: "Change",
    drain: (names: readonly string[]) => `Drain ${nodesText(names)}?`,
    drainText: "It is cordoned, then its pods are evicted one by one, as far as disruption budgets allow.",
    ignoreDaemonsets: "Leave pods of DaemonSets alone",
    deleteEmptydir: "Evict pods with emptyDir volumes, whose data is lost",
    force: "Evict pods that no controller makes again",
    drainConfirm: "Drain",
    removeNodes: (names: readonly string[]) => `Delete ${nodesText(names)}?`,
    removeNodesText: (pods: number) =>
      pods === 0
        ? "No pods are there."
        : `${plural(pods, "pod")} bound there will be deleted too, when the node has been gone for 40 seconds of cluster time. Pods of a Deployment are then made anew and scheduled elsewhere.`,
    removeNodesConfirm: "Delete",
    removePods: (names: readonly string[]) => `Delete ${podsText(names)}?`,
    removePodsText: "Pods that a controller owns are made anew by it.",
    moveTitle: (names: readonly string[]) => `Where to, ${podsText(names)}?`,
    moveFilter: "Find a node",
    moveMore: (count: number) => `${plural(count, "node")} more; find one by its name.`,
    moveNone: "No node has this name.",
    move: "Move",
  },

  drainState: {
    title: "Drain",
    words: {
      draining: "is being drained",
      drained: "drained",
      failed: "drain failed",
      cancelled: "drain cancelled",
    },
    progress: (gone: number, total: number) => `${gone} of ${plural(total, "pod")} gone`,
    leaving: (evicted: number) => `, ${plural(evicted, "more pod")} evicted`,
    nothing: "no pods to evict",
    blocked: (pod: string, budget: string) => `${pod} is protected by PodDisruptionBudget ${budget}`,
    notYet: (pod: string) => `${pod} cannot be evicted yet`,
    retry: (seconds: number) => (seconds > 0 ? `asked again in ${Math.ceil(seconds)} s` : "asked again now"),
    log: "What kubectl would print",
    cancel: "Cancel drain",
  },

  nodeEdit: {
    amount: (resource: string) => `Allocatable ${resource}`,
    edit: (resource: string) => `Change allocatable ${resource}`,
    save: "Save",
    removeResource: (resource: string) => `Take ${resource} away`,
    addResource: "Add resource",
    removeImage: (name: string) => `Remove image ${name}`,
    addImage: "Add image",
  },

  deeds: {
    created: (name: string, node: string) => (node ? `${name} created for ${node}` : `${name} created`),
    bound: (names: readonly string[], node: string) => `${podsText(names)} bound to ${node}`,
    pinned: (names: readonly string[], node: string) => `${podsText(names)} replaced by a copy for ${node}`,
    moved: (names: readonly string[], node: string) => `${podsText(names)} moved to ${node}`,
    removed: (what: string) => `${what} deleted`,
    cordoned: (names: readonly string[]) => `${nodesText(names)} cordoned`,
    uncordoned: (names: readonly string[]) => `${nodesText(names)} uncordoned`,
    put: (what: string, names: readonly string[]) => `${what} on ${nodesText(names)}`,
    taken: (what: string, names: readonly string[]) => `${what} taken off ${nodesText(names)}`,
    amount: (resource: string, quantity: string, names: readonly string[]) =>
      `${resource} of ${nodesText(names)} is ${quantity}`,
    noAmount: (resource: string, names: readonly string[]) => `${nodesText(names)} has no ${resource} any more`,
    draining: (names: readonly string[]) => `Drain of ${nodesText(names)} begun`,
    drainCancelled: (names: readonly string[]) => `Drain of ${nodesText(names)} cancelled`,
    failing: (names: readonly string[]) => `Kubelet of ${nodesText(names)} stopped`,
    recovering: (names: readonly string[]) => `Kubelet of ${nodesText(names)} started`,
    replacedBy: (owner: string) => `; ${owner} makes a replacement`,
    refused: (count: number) => `, ${number(count)} refused`,
    noChange: "Nothing to change: it is that way already.",
    nodes: nodesText,
    pods: podsText,
  },

  undo: {
    undo: "Undo",
    undoOf: (what: string) => `Undo: ${what}`,
    redo: "Redo",
    redoOf: (what: string) => `Redo: ${what}`,
    list: "What can be undone",
    empty: "Nothing to undo yet.",
    undone: (what: string) => `Undone: ${what}`,
    again: "Try again",
    changed: (nodes: readonly string[]) =>
      `Cannot be undone: ${nodesText(nodes)} was changed again since. Undoing would take that away, too.`,
    refused: (why: string) => `Cannot be undone: ${why}`,
    losses: {
      owned: "a controller has made new pods meanwhile; they stay",
      evicted: "pods that were evicted stay where they are now",
    },
  },

  touchKeys: {
    undo: "Undo what you did by hand; with Shift, do it again",
    pick: "On the board: pick the pod in focus; Space picks a node, Ctrl A all nodes",
    pickMouse: "With a click: pick one, up to here; with a drag: a lasso",
    way: "Held while a pod is dropped on a node: bind by hand, use nodeAffinity; Shift asks",
    carryNode: "Pick up the node in focus, to carry it to another region",
  },
} as const;
