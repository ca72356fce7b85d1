/** The highest sums so far, as bars that grow plugin by plugin. */
import { useMemo } from "react";
import { t } from "../../app/messages";
import { chosenOf, type Film, leadersAt } from "../../model/film";
import styles from "./film_panel.module.css";

const MOST = 3;

export function Leaders({ film, at }: { readonly film: Film; readonly at: number }) {
  const leaders = useMemo(() => leadersAt(film, at, MOST), [film, at]);
  const frame = film.frames[at];
  const highest = useMemo(
    () => Math.max(1, ...leadersAt(film, film.frames.length - 1, 1).map(({ sum }) => sum)),
    [film],
  );
  if (leaders.length === 0 || !frame) return null;
  const drawn = frame.scene === "chosen" ? chosenOf(film.report) : "";
  return (
    <ol className={styles.leaders} aria-label={t.film.leaders}>
      {leaders.map(({ node, sum }) => (
        <li key={node} data-chosen={node === drawn}>
          <span>{node}</span>
          <i style={{ transform: `scaleX(${sum / highest})` }} />
          <b>{sum}</b>
        </li>
      ))}
    </ol>
  );
}
