/** The extension points in their order, each with a dot for every plugin that was asked, and the nodes left. */
import { useEffect, useRef } from "react";
import { t } from "../../app/messages";
import type { Chapter, Film, Frame } from "../../model/film";
import { classNames } from "../../ui/class_names";
import { type MeaningName, meaningClass, meaningOfCode } from "../../ui/meaning";
import { explainPlugin, PointWord } from "../inspector/scheduler_word";
import styles from "./film_panel.module.css";
import { tellFilm } from "./film_store";

interface ReelProps {
  readonly film: Film;
  readonly at: number;
}

export function Reel({ film, at }: ReelProps) {
  const row = useRef<HTMLOListElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: follows the frame that is shown
  useEffect(() => {
    const shown = row.current?.querySelector("[aria-current]");
    shown?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [at]);
  return (
    <ol ref={row} className={styles.reel}>
      {film.chapters.map((chapter) => (
        <ChapterView key={`${chapter.point} ${chapter.first}`} chapter={chapter} film={film} at={at} />
      ))}
    </ol>
  );
}

interface ChapterProps extends ReelProps {
  readonly chapter: Chapter;
}

function ChapterView({ chapter, film, at }: ChapterProps) {
  const { point, first, last, skipped } = chapter;
  const shown = at >= first && at <= last;
  const left = film.frames[Math.min(Math.max(at, first), last)]?.left ?? 0;
  return (
    <li className={styles.chapter} data-shown={shown} data-past={at > last} data-point={point}>
      <span className={styles.point}>
        <ChapterName point={point} />
      </span>
      <span className={styles.dots}>
        {film.frames.slice(first, last + 1).map((frame, index) => (
          // A frame has no other name than its place.
          // biome-ignore lint/suspicious/noArrayIndexKey: frames of a film never move
          <Dot key={first + index} frame={frame} index={first + index} at={at} />
        ))}
        {skipped.length > 0 && (
          <span className={styles.skipped} data-tip={t.film.skipped(skipped)}>
            +{skipped.length}
          </span>
        )}
      </span>
      <span className={styles.left} data-tip={t.film.left(left)} data-testid="film-left">
        {at >= first ? t.number(left) : ""}
      </span>
    </li>
  );
}

function ChapterName({ point }: { readonly point: string }) {
  if (point === "start" || point === "end") return t.film.points[point];
  return <PointWord point={point} />;
}

interface DotProps {
  readonly frame: Frame;
  readonly index: number;
  readonly at: number;
}

function Dot({ frame, index, at }: DotProps) {
  const meaning = meaningOf(frame);
  const { plugin, dropped, point, status } = frame;
  const name = plugin || point;
  const tip = [
    name,
    explainPlugin(plugin),
    status && status.code !== "Success" && status.code,
    ...(status?.reasons ?? []),
  ];
  return (
    <button
      type="button"
      className={classNames(styles.dot, meaningClass(meaning))}
      aria-label={dropped > 0 ? `${name}: -${dropped}` : name}
      aria-current={index === at ? "step" : undefined}
      data-past={index <= at}
      data-drops={dropped > 0}
      data-tip={tip.filter(Boolean).join("\n")}
      onClick={() => tellFilm({ type: "sought", at: index })}
    >
      {dropped > 0 && <span>-{t.number(dropped)}</span>}
    </button>
  );
}

function meaningOf({ dropped, scene, status, plugin }: Frame): MeaningName {
  if (dropped > 0) return "rejected";
  if (scene === "nominated") return "nominated";
  if (plugin === "" && (scene === "best" || scene === "chosen")) return "chosen";
  return status ? meaningOfCode(status.code) : "fits";
}
