/**
 * The film of a scheduling cycle, below the board that shows what each frame does to the nodes.
 *
 * A row of extension points with a dot for each plugin that was asked and the nodes left behind it; under
 * it the frame in words and the sums so far. Height never changes while it plays, so nothing jumps.
 */
import { type KeyboardEvent, type RefObject, useEffect, useRef } from "react";
import { useCluster, useClusterSlug } from "../../app/cluster_context";
import { t } from "../../app/messages";
import { useStore } from "../../app/use_store";
import { select } from "../../app/workbench";
import { formatTimeOfDay } from "../../model/clock";
import { chosenOf, type Film } from "../../model/film";
import type { PlaybackEvent } from "../../model/playback";
import { Button, IconButton } from "../../ui/button";
import { ErrorNote } from "../../ui/error_note";
import { Icon } from "../../ui/icons";
import { FilmControls } from "./film_controls";
import styles from "./film_panel.module.css";
import {
  closeFilm,
  type FilmState,
  filmState,
  followFilm,
  mayGiveWay,
  openFilm,
  tellBinding,
  tellFilm,
} from "./film_store";
import { filmWords } from "./film_words";
import { Leaders } from "./leaders";
import { Reel } from "./reel";
import { travelTo } from "./travel";

export function FilmPanel() {
  const state = useStore(filmState);
  useFollowing(state);
  useBindingOf(state.film);
  useTravelOf(state);
  const panel = useFocusFrom(state.sequence);
  const { film, playback, error } = state;
  return (
    <section
      ref={panel}
      className={styles.panel}
      aria-label={t.film.title}
      aria-description={t.film.controls}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys step the film while it has the focus
      tabIndex={0}
      onKeyDown={press}
      data-testid="film"
      data-scene={film?.frames[playback.at]?.scene}
    >
      <Head state={state} />
      {error && <ErrorNote error={error} />}
      {!film && !error && <p className={styles.waiting}>{state.sequence ? t.loading : t.film.waiting}</p>}
      {film && (
        <>
          <Reel film={film} at={playback.at} />
          <div className={styles.telling}>
            <p className={styles.words} aria-live="polite" data-testid="film-words">
              {filmWords(film, playback.at)}
            </p>
            <Leaders film={film} at={playback.at} />
          </div>
          <FilmControls playback={playback} />
        </>
      )}
    </section>
  );
}

const KEYS: Readonly<Record<string, PlaybackEvent>> = {
  " ": { type: "toggled" },
  ArrowLeft: { type: "stepped", by: -1 },
  ArrowRight: { type: "stepped", by: 1 },
  Home: { type: "sought", at: 0 },
  End: { type: "sought", at: Number.MAX_SAFE_INTEGER },
};

/** The focus goes where a film is opened from. */
function putAway(): void {
  closeFilm();
  document.querySelector<HTMLElement>("[data-film-toggle]")?.focus();
}

/** Who pressed Play steps with the arrow keys at once; a film that begins by itself takes no focus away. */
function useFocusFrom(sequence: number | undefined): RefObject<HTMLElement | null> {
  const panel = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: looked at whenever another film is opened
  useEffect(() => {
    if (document.activeElement?.matches("[data-film-open]")) panel.current?.focus();
  }, [sequence]);
  return panel;
}

function press(event: KeyboardEvent<HTMLElement>): void {
  if (event.key === "Escape") putAway();
  const told = KEYS[event.key];
  const target = event.target instanceof HTMLElement ? event.target : event.currentTarget;
  // The scrubber steps by itself, a button is pressed with Space.
  const taken =
    target instanceof HTMLInputElement ? event.key !== " " : event.key === " " && target.closest("button, a");
  if (!told || taken || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  tellFilm(told);
}

function Head({ state: { film, following } }: { readonly state: FilmState }) {
  return (
    <div className={styles.head}>
      <Icon name="film" size={13} />
      <h2>{t.film.title}</h2>
      {film && <Subject film={film} />}
      <span className={styles.end}>
        <Button
          small
          look="quiet"
          aria-pressed={following}
          onClick={() => followFilm(!following)}
          data-tip={t.film.followTip}
          data-testid="film-live"
        >
          {t.film.follow}
        </Button>
        <IconButton icon="close" small label={t.film.close} onClick={putAway} data-testid="film-close" />
      </span>
    </div>
  );
}

function Subject({ film: { report } }: { readonly film: Film }) {
  const { pod, attempt, at } = report;
  return (
    <>
      <button
        type="button"
        className={styles.pod}
        data-film-pod
        onClick={() => select({ kind: "pod", uid: pod.uid, sequence: report.sequence })}
      >
        {pod.namespace}/{pod.name}
      </button>
      <span className={styles.when}>
        {t.inspector.attempt(attempt)} · {formatTimeOfDay(at)}
      </span>
    </>
  );
}

/** Live: when a film has ended, the newest decision is played. */
function useFollowing(state: FilmState): void {
  const slug = useClusterSlug();
  const newest = useCluster(({ decisions }) => decisions.at(-1)?.sequence);
  const { following, sequence } = state;
  const free = following && mayGiveWay(state);
  useEffect(() => {
    if (free && newest !== undefined && newest > (sequence ?? 0)) void openFilm(slug, newest);
  }, [free, newest, sequence, slug]);
}

/** The binding cycle is read with the decision, and goes on after it. */
function useBindingOf(film: Film | undefined): void {
  const binding = useCluster((state) => state.bindings.get(film?.report.pod.uid ?? ""));
  useEffect(() => {
    if (binding && film) tellBinding(binding);
  }, [binding, film]);
}

/** At the end the pod travels to its node, once. */
function useTravelOf({ film, playback: { at } }: FilmState): void {
  const travelled = useRef<Film>(undefined);
  const atEnd = film !== undefined && film.frames[at]?.point === "end";
  useEffect(() => {
    if (!atEnd || !film || travelled.current?.report === film.report) return;
    travelled.current = film;
    const node = chosenOf(film.report);
    if (film.report.outcome === "scheduled" && node) travelTo(film.report.pod.name, node, styles.ghost ?? "");
  }, [atEnd, film]);
}
