/** What a frame shows, in a sentence. */
import { t } from "../../app/messages";
import { chosenOf, type Film, type Frame } from "../../model/film";
import type { CycleReport } from "../../model/messages.generated";
import { searchInWords } from "../inspector/search_in_words";

const say = t.film.says;

export function filmWords(film: Film, index: number): string {
  const frame = film.frames[index];
  if (!frame) return "";
  switch (frame.point) {
    case "start":
      return say.start(podOf(film.report), film.report.attempt, frame.left);
    case "end":
      return endWords(film);
    case "preFilter":
      return preFilterWords(film.report, frame);
    case "filter":
      return filterWords(film.report, frame, film.frames[index - 1]) + sampledWords(film, index);
    case "postFilter":
      return postFilterWords(film.report, frame);
    case "score":
      return scoreWords(film.report, frame);
    default:
      return answerWords(frame);
  }
}

const podOf = ({ pod: { namespace, name } }: CycleReport) => `${namespace}/${name}`;

function answerWords({ plugin, status, point }: Frame): string {
  if (!plugin) return say.nothing;
  if (point === "preScore" && status?.code === "Success") return say.prepares(plugin);
  return say.answers(plugin, status?.code ?? "", status?.reasons.join(", ") ?? "");
}

function preFilterWords({ filter }: CycleReport, frame: Frame): string {
  const { plugin, status, dropped } = frame;
  if (dropped > 0) return say.leavesOut(plugin, dropped, filter?.absent?.reasons.join(", ") ?? "");
  return status?.code === "Success" ? say.prepares(plugin) : answerWords(frame);
}

/** Where the search stopped early, the first Filter frame says so: the count of nodes falls with it. */
function sampledWords({ report: { filter }, chapters }: Film, index: number): string {
  if (!filter || filter.absent || filter.evaluated >= filter.total_nodes) return "";
  const first = chapters.find(({ point }) => point === "filter")?.first;
  return index === first ? ` ${searchInWords(filter.evaluated, filter.total_nodes)}` : "";
}

function filterWords(report: CycleReport, frame: Frame, before: Frame | undefined): string {
  const { plugin, dropped, left, scene } = frame;
  if (scene === "chosen") return say.only(chosenOf(report));
  if (dropped > 0) return say.rejects(plugin, dropped, reasonsOf(report, plugin));
  const asked = before?.point === "filter" ? before.left : left;
  return asked > 0 ? say.passes(plugin, left) : say.noneLeft(plugin);
}

const MOST_REASONS = 3;

/** The plugin's distinct reasons, as the scheduler says them. */
function reasonsOf({ filter }: CycleReport, plugin: string): string {
  const own = filter?.statuses.filter((status) => status.plugin === plugin) ?? [];
  const reasons = [...new Set(own.map((status) => status.reasons.join(", ")))];
  return reasons.slice(0, MOST_REASONS).join("; ") + (reasons.length > MOST_REASONS ? "; …" : "");
}

function postFilterWords({ preemption }: CycleReport, frame: Frame): string {
  if (frame.scene === "nominated" && preemption) {
    return say.nominated(preemption.node, victimCount(preemption), preemption.decided_by);
  }
  const isIt = frame.scene === "candidates" && preemption && preemption.candidates.length > 0;
  return isIt ? say.candidates(preemption.candidates.length) : answerWords(frame);
}

const victimCount = ({ victims, waiting_victims: held }: NonNullable<CycleReport["preemption"]>) =>
  victims.length + held.length;

function scoreWords(report: CycleReport, frame: Frame): string {
  const { score } = report;
  const highest = score?.totals.reduce((most, total) => Math.max(most, total), 0) ?? 0;
  if (frame.scene === "best" && score) return say.tie(score.best.length, highest);
  if (frame.scene === "chosen") {
    return (score?.best.length ?? 0) > 1 ? say.drawn(chosenOf(report)) : say.highest(chosenOf(report), highest);
  }
  const column = score?.plugins[frame.scored - 1];
  return column && frame.plugin ? say.scores(column.plugin, column.weight) : answerWords(frame);
}

function endWords({ report, binding }: Film): string {
  switch (report.outcome) {
    case "scheduled":
      if (binding?.phase === "bound") return say.bound(podOf(report), binding.node);
      if (binding?.phase === "failed") return say.bindingFailed(binding.message);
      return say.scheduled(podOf(report), report.node);
    case "waiting":
      return say.waiting(podOf(report), report.node);
    case "skipped":
      return report.message || say.skipped;
    default:
      return report.message;
  }
}
