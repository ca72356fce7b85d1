/** Texts of the queue's groups and moves, of the clock, the timeline, the past, and breakpoints. */
import { countingIn } from "./counting";

const { number, counted } = countingIn("en");
const plural = (count: number, one: string, many = `${one}s`) => counted(count, { one, other: many });

/** `0.4 s`, `12 s`, `3 min 20 s`, `2 h 5 min` */
export function seconds(value: number): string {
  const whole = Math.max(0, value);
  if (whole < 10) return `${whole.toFixed(1)} s`;
  if (whole < 60) return `${Math.round(whole)} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${Math.round(whole % 60)} s`;
  return `${Math.floor(whole / 3600)} h ${Math.round((whole % 3600) / 60)} min`;
}

/** Of moves that no object caused, and of those whose name says it badly. */
const happened: Readonly<Record<string, string>> = {
  Pop: "its turn",
  Placed: "a node was chosen",
  Bound: "bound",
  PodAdd: "created",
  ScheduleAttemptFailure: "no node fits",
  BackoffComplete: "backoff over",
  PopFromBackoffQ: "activeQ was empty: its turn before the backoff is over",
  UnschedulableTimeout: "waited five minutes",
  ForceActivate: "brought forward by a plugin",
};

/** What happens to objects, as the ends of the names of cluster events have it. */
const done: Readonly<Record<string, (object: string) => string>> = {
  Placed: (object) => `${object} was chosen`,
  Bound: (object) => `now on ${object}`,
  Add: (object) => `${object} added`,
  Delete: (object) => `${object} deleted`,
  Update: (object) => `${object} changed`,
  UpdateNodeAllocatable: (object) => `allocatable of ${object} changed`,
  UpdateNodeLabel: (object) => `labels of ${object} changed`,
  UpdateNodeTaint: (object) => `taints of ${object} changed`,
  UpdateNodeCondition: (object) => `conditions of ${object} changed`,
  UpdateNodeAnnotation: (object) => `annotations of ${object} changed`,
  UpdatePodLabel: (object) => `labels of ${object} changed`,
  UpdatePodScaleDown: (object) => `requests of ${object} became smaller`,
  UpdatePodToleration: (object) => `tolerations of ${object} changed`,
  UpdatePodSchedulingGatesEliminated: (object) => `the last gate of ${object} was removed`,
  UpdatePodGeneratedResourceClaim: (object) => `${object} got its ResourceClaim`,
};

export const time = {
  happened,
  done,
  itself: "the pod",

  lane: {
    group: (reason: string, count: number) => `${reason}: ${plural(count, "pod")}`,
    noReason: "no reason given",
    noPodGroup: "no PodGroup",
    podGroup: (name: string) => `PodGroup ${name}`,
    scheduler: "Show the queue of one scheduler",
    allSchedulers: "All schedulers",
    tickets: (lane: string) => `Pods in ${lane}`,
    lastMove: "The latest move",
  },

  clock: {
    slower: "Clock slower",
    faster: "Clock faster",
    speedLabel: "Speed of the cluster's clock, 0.1× to 100×",
    next: (what: string, left: string) => `next: ${what} in ${left}`,
    nextNow: (what: string) => `next: ${what}`,
    nextTip: "What happens next by itself. With no pod in activeQ, a step moves the clock to it.",
    due: {
      backoff: (pod: string) => `backoff of ${pod}`,
      leftover: (pod: string) => `the end of five minutes for ${pod}`,
      permit: (pod: string) => `Permit deadline of ${pod}`,
      binding: (pod: string) => `binding of ${pod}`,
    },
    more: (count: number) => (count === 0 ? "" : ` and ${number(count)} more`),
    nothingDue: "nothing is due",
    ready: "a pod is ready: a step tries it",
    sinceSeconds: seconds,
  },

  rewind: {
    banner: "The past",
    mark: (at: string) => `As of ${at}, read only`,
    version: (version: number) => `version ${number(version)}`,
    explain: "The whole page shows the cluster as it was. What happens now is received and shown once you return.",
    live: "Return to live",
    back: "One change back",
    forth: "One change on",
    play: "Play the past",
    pause: "Pause",
    speed: "Speed of the past",
    newest: "This is the newest change.",
    reading: "Reading…",
    readingFirst: "Reading the past…",
    fork: "Fork from here…",
    forkTip: "A new cluster that begins at this moment",
    forkTitle: "A new cluster from this moment",
    forkText: (at: string) =>
      `It begins as this cluster was at ${at}, with its clock paused. This cluster is not touched.`,
    forkName: "Name",
    forkConfirm: "Make and open it",
    forking: "Making it…",
    forkOf: (name: string, at: string) => `${name} at ${at}`,
    present: "This shows the cluster as it is now, not as it was. Return to live to use it.",
    notThere: "It does not exist at this moment",
    notThereHint: "Step on or back, or return to live.",
  },

  timeline: {
    title: "Timeline",
    show: "Show the timeline",
    hide: "Hide the timeline",
    scrub: "Moment of the cluster: arrow keys go change by change, Page keys farther, End returns to live",
    live: "live",
    atMoment: (at: string, version: number) => `${at}, version ${version}`,
    axis: "Lay out by",
    axes: { time: "time", changes: "changes" },
    axesTip: {
      time: "Over cluster time: how long things took",
      changes: "Over changes: bursts get the room, idle time none",
    },
    zoomIn: "Zoom in",
    zoomOut: "Zoom out",
    all: "All of it",
    table: "Table",
    tableTitle: "What happened when",
    goTo: "Go to",
    goThere: (at: string) => `Go to ${at}`,
    inspect: "Inspect the last attempt",
    close: "Close",
    from: "from",
    until: "until",
    counts: {
      scheduled: "scheduled",
      unschedulable: "unschedulable",
      errors: "errors",
      preemptions: "preemptions",
      bound: "bound",
      failed_bindings: "failed bindings",
      pods_created: "pods created",
      pods_deleted: "pods deleted",
      node_changes: "node changes",
      changes: "changes",
    },
    marks: "Events",
    marksLeftOut: "Only the newest events are listed.",
    what: {
      "node-added": (name: string) => `node ${name} added`,
      "node-removed": (name: string) => `node ${name} removed`,
      preemption: (name: string) => `${name} preempts`,
      paused: () => "clock paused",
      resumed: (speed: string) => `clock resumed at ${speed}×`,
      speed: (speed: string) => `clock at ${speed}×`,
    } as Readonly<Record<string, (name: string) => string>>,
  },

  life: {
    title: "The pod's life over cluster time",
    attempts: "attempts",
    attempt: (number: number, outcome: string, at: string) => `Attempt ${number}, ${outcome}, ${at}`,
    stay: (lane: string, span: string) => `${lane}: ${span}`,
    still: (lane: string, span: string) => `${lane}: ${span} so far`,
    zoomIn: "Zoom in",
    zoomOut: "Zoom out",
    earlier: "Earlier",
    later: "Later",
    total: (span: string) => `${span} in all`,
  },

  breakpoints: {
    title: "Breakpoints",
    open: (count: number) => (count === 0 ? "Breakpoints" : `Breakpoints: ${count}`),
    lead: "When one is hit, the cluster's clock pauses. A pod's breakpoint stops before its cycle, the others after it.",
    none: "No breakpoint yet.",
    add: "Add",
    clear: "Remove all",
    remove: (what: string) => `Remove breakpoint ${what}`,
    on: "Pause",
    kinds: {
      pod: "before a pod",
      plugin: "at a plugin",
      failure: "on a failure",
      preemption: "on preemption",
    },
    name: "Pod",
    nameHint: "web-1, web-*",
    anyPod: "any pod",
    namespace: "Namespace",
    namespaceHint: "any",
    plugin: "Plugin",
    point: "Extension point",
    anyPoint: "any",
    when: "When it",
    whens: { rejects: "rejects", runs: "runs" },
    hits: (count: number) => (count === 0 ? "not hit yet" : `hit ${plural(count, "time")}`),
    says: {
      pod: (pod: string) => `before the cycle of ${pod}`,
      plugin: (plugin: string, point: string, when: "rejects" | "runs") =>
        `when ${plugin || "any plugin"} ${when}${point && ` at ${point}`}`,
      failure: "when an attempt fails",
      preemption: "when an attempt preempts",
      of: (pod: string) => ` · ${pod}`,
    },
    hit: (pod: string) => `Paused by a breakpoint: ${pod}`,
    step: "Step",
    resume: "Resume",
    film: "Play as film",
    inspect: "Inspect the pod",
  },
} as const;
