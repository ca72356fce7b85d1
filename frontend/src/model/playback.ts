/**
 * Where a film stands: a frame, whether it runs, how fast. Pure, so that keys, buttons, the scrubber and
 * the timer all say the same few things.
 */
import type { Frame } from "./film";

export interface Playback {
  readonly at: number;
  readonly frames: number;
  readonly playing: boolean;
  readonly speed: number;
}

export type PlaybackEvent =
  | { readonly type: "toggled" }
  | { readonly type: "ticked" }
  /** By hand, which also stops it. */
  | { readonly type: "stepped"; readonly by: number }
  | { readonly type: "sought"; readonly at: number }
  | { readonly type: "sped"; readonly speed: number };

export const PLAYBACK_SPEEDS = [0.5, 1, 2, 4] as const;

export const isAtEnd = ({ at, frames }: Playback): boolean => at >= frames - 1;

export function nextPlayback(playback: Playback, event: PlaybackEvent): Playback {
  switch (event.type) {
    case "toggled":
      return toggled(playback);
    case "ticked":
      return moved(playback, playback.at + 1, playback.playing && playback.at + 1 < playback.frames - 1);
    case "stepped":
      return moved(playback, playback.at + event.by, false);
    case "sought":
      return moved(playback, event.at, false);
    case "sped":
      return { ...playback, speed: event.speed };
  }
}

/** Played again from its beginning where it had ended. */
function toggled(playback: Playback): Playback {
  if (playback.playing) return { ...playback, playing: false };
  return { ...playback, playing: playback.frames > 1, at: isAtEnd(playback) ? 0 : playback.at };
}

const moved = (playback: Playback, at: number, playing: boolean): Playback => ({
  ...playback,
  at: Math.max(0, Math.min(playback.frames - 1, at)),
  playing,
});

const PLAIN_MS = 320;
const TELLING_MS = 1000;

/** A frame in which something happens is looked at longer. */
export function frameMs({ dropped, scene, plugin, status }: Frame, speed: number): number {
  const rejected = status !== undefined && status.code !== "Success";
  const tells = dropped > 0 || rejected || scene === "candidates" || scene === "score" || plugin === "";
  return (tells ? TELLING_MS : PLAIN_MS) / speed;
}
