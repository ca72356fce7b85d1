/**
 * One scheduling cycle as a film: a frame for each plugin that was asked, made of the report alone.
 *
 * A frame says what its plugin changed (how many nodes dropped out, what it added to the scores) and how
 * many nodes are left; `overlayAt` says what every node looks like at that frame. Plugins that said Skip
 * have no frame: they are listed in their point, so that nobody waits for what did nothing. Frames are
 * counts, nodes are looked up when a frame is shown, so a film of 5,000 nodes costs no more than one of five.
 */
import type {
  BindingCard,
  CycleReport,
  FilterReport,
  PluginRun,
  PreemptionReport,
  StatusReport,
} from "./messages.generated";
import type { NodeOverlay, Overlay } from "./overlay";

/** What the board shows at a frame. */
export type Scene = "filter" | "candidates" | "nominated" | "score" | "best" | "chosen";

export interface Frame {
  /** "start", "end", or the extension point as the configuration writes it. */
  readonly point: string;
  /** "" where the frame is about the point as a whole. */
  readonly plugin: string;
  readonly status: StatusReport | undefined;
  /** Nodes that are still in after this frame, and those that this frame dropped. */
  readonly left: number;
  readonly dropped: number;
  /** Score columns that are in the sums so far. */
  readonly scored: number;
  readonly scene: Scene;
}

/** An extension point with the frames that belong to it. */
export interface Chapter {
  readonly point: string;
  readonly first: number;
  readonly last: number;
  readonly skipped: readonly string[];
}

export interface Film {
  readonly report: CycleReport;
  readonly binding: BindingCard | undefined;
  readonly frames: readonly Frame[];
  readonly chapters: readonly Chapter[];
  /** By place in `report.filter.nodes`: the frame at which the node drops out; Infinity: it never does. */
  readonly dropsAt: readonly number[];
}

export function filmOf(report: CycleReport, binding?: BindingCard | null): Film {
  const reel = new Reel(report);
  for (const { point, plugins } of report.points) {
    if (point === "filter") reel.filter(plugins);
    else if (point === "postFilter") reel.postFilter(plugins);
    else if (point === "score") reel.score(plugins);
    else reel.point(point, plugins);
    if (point === "filter" && !report.score && chosenOf(report)) reel.choose();
  }
  for (const { point, plugin, status } of binding?.steps ?? []) reel.step(point, plugin, status);
  return reel.end(binding ?? undefined);
}

/** How a report names whoever rejects nodes over HTTP. */
const EXTENDER = "Extender";

export const chosenOf = ({ node, score }: CycleReport): string => node || score?.chosen || "";

class Reel {
  private readonly frames: Frame[] = [];
  private readonly chapters: Chapter[] = [];
  private readonly dropsAt: number[];
  private left: number;
  private scored = 0;
  private scene: Scene = "filter";

  constructor(private readonly report: CycleReport) {
    this.left = report.filter?.total_nodes ?? 0;
    this.dropsAt = (report.filter?.nodes ?? []).map(() => Number.POSITIVE_INFINITY);
    this.chapter("start", [], () => this.frame("start"));
  }

  /** A point of which only the answers are shown. PreFilter may leave nodes out. */
  point(point: string, plugins: readonly PluginRun[]): void {
    const asked = plugins.filter(({ status }) => status.code !== "Skip");
    const leaves = point === "preFilter" ? this.leavingNodesOut(asked) : undefined;
    this.chapter(point, skippedOf(plugins), () => {
      if (asked.length === 0) this.frame(point);
      for (const run of asked) this.frame(point, run.name, run.status, run === leaves ? this.absent() : 0);
    });
  }

  filter(plugins: readonly PluginRun[]): void {
    const { filter, extender_calls: calls = [] } = this.report;
    const names = plugins.map(({ name }) => name);
    // Extenders are asked after all plugins, about the nodes that these left.
    const asked = calls.some(({ verb }) => verb === "filter") ? [EXTENDER] : [];
    const others = (filter?.statuses ?? []).map(({ plugin }) => plugin).filter((plugin) => !names.includes(plugin));
    this.chapter("filter", [], () => {
      this.left = filter?.evaluated ?? 0;
      for (const { name, status } of plugins) this.dropOut(name, status);
      for (const plugin of new Set([...asked, ...others])) {
        if (asked.includes(plugin) || this.rejects(plugin) > 0) this.dropOut(plugin, undefined);
      }
    });
  }

  postFilter(plugins: readonly PluginRun[]): void {
    const { preemption } = this.report;
    this.chapter("postFilter", skippedOf(plugins), () => {
      for (const { name, status } of plugins) {
        if (preemption && name === preemption.status.plugin) this.scene = "candidates";
        this.frame("postFilter", name, status);
      }
      if (preemption?.node) {
        this.scene = "nominated";
        this.frame("postFilter");
      }
    });
  }

  score(plugins: readonly PluginRun[]): void {
    const columns = this.report.score?.plugins ?? [];
    const statusOf = new Map(plugins.map(({ name, status }) => [name, status]));
    this.chapter("score", skippedOf(plugins), () => {
      this.scene = "score";
      for (const { plugin } of columns) {
        this.scored += 1;
        this.frame("score", plugin, statusOf.get(plugin));
      }
      if (columns.length === 0) for (const { name, status } of plugins) this.frame("score", name, status);
      if ((this.report.score?.best.length ?? 0) > 1) {
        this.scene = "best";
        this.frame("score");
      }
      if (chosenOf(this.report)) this.choose("score");
    });
  }

  choose(point = "filter"): void {
    this.scene = "chosen";
    this.frame(point);
    const chapter = this.chapters.at(-1);
    if (point !== "filter" || !chapter) return;
    this.chapters[this.chapters.length - 1] = { ...chapter, last: this.frames.length - 1 };
  }

  /** A step of the binding cycle: steps of one point stand together. */
  step(point: string, plugin: string, status: StatusReport): void {
    const chapter = this.chapters.at(-1);
    if (chapter?.point !== point) this.chapter(point, [], () => this.frame(point, plugin, status));
    else {
      this.frame(point, plugin, status);
      this.chapters[this.chapters.length - 1] = { ...chapter, last: this.frames.length - 1 };
    }
  }

  end(binding: BindingCard | undefined): Film {
    this.chapter("end", [], () => this.frame("end"));
    const { report, frames, chapters, dropsAt } = this;
    return { report, binding, frames, chapters, dropsAt };
  }

  private chapter(point: string, skipped: readonly string[], shoot: () => void): void {
    const first = this.frames.length;
    shoot();
    if (this.frames.length > first) this.chapters.push({ point, first, last: this.frames.length - 1, skipped });
  }

  private frame(point: string, plugin = "", status?: StatusReport, dropped = 0): void {
    const { scored, scene } = this;
    this.left -= dropped;
    this.frames.push({ point, plugin, status, left: this.left, dropped, scored, scene });
  }

  private dropOut(plugin: string, status: StatusReport | undefined): void {
    const { filter } = this.report;
    const at = this.frames.length;
    let dropped = 0;
    filter?.status.forEach((code, place) => {
      if (filter.statuses[code]?.plugin !== plugin) return;
      this.dropsAt[place] = at;
      dropped += 1;
    });
    this.frame("filter", plugin, status, dropped);
  }

  private rejects(plugin: string): number {
    const { filter } = this.report;
    return filter?.status.filter((code) => filter.statuses[code]?.plugin === plugin).length ?? 0;
  }

  /** Nodes that PreFilter left out, or all where it rejected the pod. */
  private absent(): number {
    const { filter } = this.report;
    return filter?.absent ? filter.total_nodes - filter.evaluated : 0;
  }

  private leavingNodesOut(asked: readonly PluginRun[]): PluginRun | undefined {
    const plugin = this.report.filter?.absent?.plugin;
    return asked.find(({ name }) => name === plugin) ?? asked.at(-1);
  }
}

const skippedOf = (plugins: readonly PluginRun[]): readonly string[] =>
  plugins.filter(({ status }) => status.code === "Skip").map(({ name }) => name);

// What the board shows

const NOTHING = { plugin: "", reason: "", score: null } as const;
const PASSES: NodeOverlay = { ...NOTHING, state: "passes" };
const UNSEEN: NodeOverlay = { ...NOTHING, state: "unseen" };

const NO_VICTIMS: ReadonlySet<string> = new Set();

export function overlayAt(film: Film, index: number): Overlay {
  const { report, frames } = film;
  const frame = frames[index];
  const { filter } = report;
  if (!frame || !filter) return { nodes: new Map(), rest: undefined, victims: NO_VICTIMS };
  const nodes = filteredNodes(film, filter, index);
  if (frame.scored > 0) addScores(nodes, report, frame.scored);
  if (frame.scene === "best") for (const name of report.score?.best ?? []) mark(nodes, name, "best");
  if (frame.scene === "chosen") mark(nodes, chosenOf(report), "chosen");
  const victims = addCandidates(nodes, report, frame.scene);
  return { nodes, rest: restAt(film, filter, index), victims };
}

function filteredNodes({ dropsAt }: Film, filter: FilterReport, index: number): Map<string, NodeOverlay> {
  const rejected = filter.statuses.map(rejection);
  return new Map(
    filter.nodes.map((name, place) => {
      const dropped = (dropsAt[place] ?? 0) <= index;
      return [name, (dropped && rejected[filter.status[place] ?? -1]) || PASSES];
    }),
  );
}

function rejection({ code, plugin, reasons }: StatusReport): NodeOverlay {
  const state = code === "UnschedulableAndUnresolvable" ? "unresolvable" : "rejected";
  return { state, plugin, reason: reasons.join(", "), score: null };
}

function restAt({ chapters, frames }: Film, filter: FilterReport, index: number): NodeOverlay | undefined {
  if (filter.evaluated >= filter.total_nodes) return undefined;
  if (filter.absent) return frames.findIndex(({ dropped }) => dropped > 0) <= index ? rejection(filter.absent) : PASSES;
  const first = chapters.find(({ point }) => point === "filter")?.first ?? 0;
  return index >= first ? UNSEEN : PASSES;
}

function addScores(nodes: Map<string, NodeOverlay>, { score }: CycleReport, scored: number): void {
  if (!score) return;
  const sums = runningTotals(score.plugins, score.nodes.length, scored);
  score.nodes.forEach((name, place) => {
    nodes.set(name, { ...PASSES, score: sums[place] ?? 0 });
  });
}

/** The sums of the first `scored` columns. */
export function runningTotals(
  columns: readonly { readonly weighted: readonly number[] }[],
  nodes: number,
  scored: number,
): readonly number[] {
  const sums = new Array<number>(nodes).fill(0);
  for (const { weighted } of columns.slice(0, scored)) {
    for (let place = 0; place < nodes; place++) sums[place] = (sums[place] ?? 0) + (weighted[place] ?? 0);
  }
  return sums;
}

function mark(nodes: Map<string, NodeOverlay>, name: string, state: NodeOverlay["state"]): void {
  if (name) nodes.set(name, { ...(nodes.get(name) ?? PASSES), state, plugin: "", reason: "" });
}

/** Answers with the pods that would have to leave. */
function addCandidates(
  nodes: Map<string, NodeOverlay>,
  { preemption }: CycleReport,
  scene: Scene,
): ReadonlySet<string> {
  if (!preemption || (scene !== "candidates" && scene !== "nominated")) return NO_VICTIMS;
  const shown =
    scene === "nominated"
      ? preemption.candidates.filter(({ node }) => node === preemption.node)
      : preemption.candidates;
  for (const { node } of shown) mark(nodes, node, scene === "nominated" ? "nominated" : "candidate");
  return new Set(shown.flatMap(({ victims }) => victims.map(({ uid }) => uid)));
}

/** The candidates and their victims alone, the nominated node among them. */
export function preemptionOverlay(preemption: PreemptionReport): Overlay {
  const nodes = new Map<string, NodeOverlay>();
  for (const { node } of preemption.candidates) mark(nodes, node, "candidate");
  mark(nodes, preemption.node, "nominated");
  const victims = preemption.candidates.flatMap((candidate) => candidate.victims.map(({ uid }) => uid));
  return { nodes, rest: undefined, victims: new Set(victims) };
}

/** The nodes with the highest sums so far, best first. */
export function leadersAt(film: Film, index: number, most: number): readonly { node: string; sum: number }[] {
  const { score } = film.report;
  const scored = film.frames[index]?.scored ?? 0;
  if (!score || scored === 0) return [];
  const sums = runningTotals(score.plugins, score.nodes.length, scored);
  const places = sums.map((_, place) => place).sort((a, b) => (sums[b] ?? 0) - (sums[a] ?? 0));
  return places.slice(0, most).map((place) => ({ node: score.nodes[place] ?? "", sum: sums[place] ?? 0 }));
}
