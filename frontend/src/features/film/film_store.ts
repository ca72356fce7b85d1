/**
 * The one film of the page: which decision it shows, where it stands, and what it lays over the board.
 *
 * Nothing waits for it: the cluster goes on, and while a film follows it live, cycles made during a film
 * are left out.
 */
import { type Film, filmOf, overlayAt } from "../../model/film";
import type { BindingCard } from "../../model/messages.generated";
import { filmOverlay } from "../../model/overlay";
import { frameMs, isAtEnd, nextPlayback, type Playback, type PlaybackEvent } from "../../model/playback";
import { createStore } from "../../model/store";
import { getDecision } from "../../transport/api";
import { type ApiError, asApiError } from "../../transport/errors";
import { send } from "../../transport/rest";

export interface FilmState {
  readonly open: boolean;
  /** Plays each new decision. */
  readonly following: boolean;
  /** The decision that is shown, or being read. */
  readonly sequence: number | undefined;
  readonly film: Film | undefined;
  readonly playback: Playback;
  readonly error: ApiError | undefined;
}

const CLOSED: FilmState = {
  open: false,
  following: false,
  sequence: undefined,
  film: undefined,
  playback: { at: 0, frames: 0, playing: false, speed: 1 },
  error: undefined,
};

export const filmState = createStore<FilmState>(CLOSED);

let timer: ReturnType<typeof setTimeout> | undefined;

/** Reads a stored decision and plays it from its beginning. */
export async function openFilm(cluster: string, sequence: number): Promise<void> {
  change({ open: true, sequence, error: undefined });
  try {
    const { binding, ...report } = await send(getDecision(cluster, sequence));
    if (filmState.get().sequence !== sequence) return;
    const film = filmOf(report, binding);
    const { speed } = filmState.get().playback;
    show(film, { at: 0, frames: film.frames.length, playing: film.frames.length > 1, speed });
  } catch (thrown) {
    if (filmState.get().sequence === sequence) fail(asApiError(thrown));
  }
}

/** What was shown before would be taken for what was asked for. */
function fail(error: ApiError): void {
  clearTimeout(timer);
  change({ error, film: undefined });
  filmOverlay.set(undefined);
}

export function tellFilm(event: PlaybackEvent): void {
  const { film, playback } = filmState.get();
  if (film) show(film, nextPlayback(playback, event));
  else if (event.type === "sped") change({ playback: nextPlayback(playback, event) });
}

/** The binding cycle has gone on: its steps are put before the end of the film. */
export function tellBinding(binding: BindingCard): void {
  const { film, playback } = filmState.get();
  if (!film || binding.sequence !== film.report.sequence || binding === film.binding) return;
  const longer = filmOf(film.report, binding);
  const ended = isAtEnd(playback);
  const frames = longer.frames.length;
  const grown = frames > playback.frames;
  // Who has seen the end sees what was put before it.
  const at = ended && grown ? playback.frames - 1 : Math.min(playback.at, frames - 1);
  show(longer, { ...playback, at, frames, playing: playback.playing || (ended && grown) });
}

export function followFilm(following: boolean): void {
  change({ following, open: true });
}

export function closeFilm(): void {
  clearTimeout(timer);
  const { speed } = filmState.get().playback;
  filmState.set({ ...CLOSED, playback: { ...CLOSED.playback, speed } });
  filmOverlay.set(undefined);
}

/** True while a newer decision may take the place of this one. */
export const mayGiveWay = ({ film, playback, error }: FilmState): boolean =>
  error !== undefined || film === undefined || (isAtEnd(playback) && !playback.playing);

function change(part: Partial<FilmState>): void {
  filmState.set({ ...filmState.get(), ...part });
}

function show(film: Film, playback: Playback): void {
  clearTimeout(timer);
  change({ film, playback });
  filmOverlay.set(overlayAt(film, playback.at));
  const frame = film.frames[playback.at];
  if (playback.playing && frame) {
    timer = setTimeout(() => tellFilm({ type: "ticked" }), frameMs(frame, playback.speed));
  }
}
