/**
 * A pod's life as a picture over cluster time: where it stayed, when it was tried, how long its bindings took.
 *
 * A row a place, so that nothing lies over anything; the list below it has the same in words.
 */
import { type CSSProperties, type KeyboardEvent, useState } from "react";
import { t } from "../../app/messages";
import { select } from "../../app/workbench";
import { formatTimeOfDay } from "../../model/clock";
import {
  type LifeTimeline,
  pannedLife,
  type Stay,
  type Tried,
  type Window,
  zoomedLife,
} from "../../model/life_timeline";
import type { BindingCard } from "../../model/messages.generated";
import { ticksOf } from "../../model/timeline";
import { IconButton } from "../../ui/button";
import { classNames } from "../../ui/class_names";
import { meaningClass } from "../../ui/meaning";
import { LANES } from "../queue/lanes";
import { laneName, moveWhy } from "../queue/move_text";
import styles from "./life_picture.module.css";

interface LifePictureProps {
  readonly life: LifeTimeline;
  readonly uid: string;
}

export function LifePicture({ life, uid }: LifePictureProps) {
  const [zoom, setZoom] = useState<Window>();
  const shown = zoom ?? life;
  const middle = (shown.from + shown.to) / 2;
  const turn = (factor: number) => setZoom(zoomedLife(life, shown, factor, middle));
  const pan = (share: number) => setZoom(pannedLife(life, shown, share));
  const whole = shown.to - shown.from >= life.to - life.from;
  return (
    <figure
      className={styles.picture}
      aria-label={t.life.title}
      data-testid="life-picture"
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key === "+") turn(0.5);
        else if (event.key === "-") turn(2);
      }}
    >
      <figcaption>
        <span>{t.life.total(t.clock.sinceSeconds(life.to - life.from))}</span>
        <IconButton small icon="chevron_left" label={t.life.earlier} disabled={whole} onClick={() => pan(-0.5)} />
        <IconButton small icon="chevron_right" label={t.life.later} disabled={whole} onClick={() => pan(0.5)} />
        <IconButton small icon="plus" label={t.life.zoomIn} onClick={() => turn(0.5)} />
        <IconButton small icon="minus" label={t.life.zoomOut} disabled={whole} onClick={() => turn(2)} />
      </figcaption>
      <Axis shown={shown} />
      <Attempts tried={life.tried} shown={shown} uid={uid} />
      {LANES.map(({ name, meaning }) => (
        <Row
          key={name}
          name={name}
          meaning={meaning && meaningClass(meaning)}
          stays={life.stays.filter(({ lane }) => lane === name)}
          bindings={name === "binding" ? life.bindings : NO_BINDINGS}
          shown={shown}
        />
      ))}
    </figure>
  );
}

const NO_BINDINGS: readonly BindingCard[] = [];

const placeIn = ({ from, to }: Window, at: number): number => (100 * (at - from)) / (to - from);
const isIn = ({ from, to }: Window, begins: number, ends: number): boolean => ends >= from && begins <= to;

function Axis({ shown }: { readonly shown: Window }) {
  const ticks = ticksOf({ axis: "time", ...shown }, 4);
  return (
    <div className={styles.row} aria-hidden="true">
      <span />
      <div className={styles.axis}>
        {ticks.map((tick) => (
          <span key={tick} style={{ left: `${placeIn(shown, tick)}%` }}>
            {formatTimeOfDay(tick)}
          </span>
        ))}
      </div>
    </div>
  );
}

interface AttemptsProps {
  readonly tried: readonly Tried[];
  readonly shown: Window;
  readonly uid: string;
}

function Attempts({ tried, shown, uid }: AttemptsProps) {
  if (tried.length === 0) return null;
  return (
    <div className={styles.row}>
      <span>{t.life.attempts}</span>
      <div className={styles.track}>
        {tried
          .filter(({ at }) => isIn(shown, at, at))
          .map((one) => (
            <AttemptMark key={one.sequence} tried={one} left={placeIn(shown, one.at)} uid={uid} />
          ))}
      </div>
    </div>
  );
}

interface AttemptMarkProps {
  readonly tried: Tried;
  readonly left: number;
  readonly uid: string;
}

function AttemptMark({ tried: { at, attempt, outcome, sequence }, left, uid }: AttemptMarkProps) {
  const text = t.life.attempt(attempt, t.inspector.outcomes[outcome], formatTimeOfDay(at));
  return (
    <button
      type="button"
      className={styles.attempt}
      style={{ left: `${left}%` }}
      aria-label={text}
      data-tip={text}
      data-outcome={outcome}
      data-testid="life-attempt"
      onClick={() => select({ kind: "pod", uid, sequence })}
    />
  );
}

interface RowProps {
  readonly name: string;
  readonly meaning: string | undefined;
  readonly stays: readonly Stay[];
  readonly bindings: readonly BindingCard[];
  readonly shown: Window;
}

function Row({ name, meaning, stays, bindings, shown }: RowProps) {
  if (stays.length === 0) return null;
  return (
    <div className={classNames(styles.row, meaning)} data-lane={name}>
      <span>{laneName(name, "")}</span>
      <div className={styles.track}>
        {stays
          .filter(({ from, to }) => isIn(shown, from, to))
          .map((stay) => (
            <StayBar key={`${stay.from} ${stay.move.event}`} stay={stay} shown={shown} bindings={bindings} />
          ))}
      </div>
    </div>
  );
}

interface StayBarProps {
  readonly stay: Stay;
  readonly shown: Window;
  readonly bindings: readonly BindingCard[];
}

function StayBar({ stay, shown, bindings }: StayBarProps) {
  const { lane, from, to, open, move } = stay;
  const span = t.clock.sinceSeconds(to - from);
  const words = open ? t.life.still(laneName(lane, ""), span) : t.life.stay(laneName(lane, ""), span);
  const binding = bindings.find(({ at }) => at >= from && at <= to);
  const tip = [words, `${formatTimeOfDay(from)}\t${moveWhy(move)}`, binding?.message].filter(Boolean).join("\n");
  const left = Math.max(0, placeIn(shown, from));
  const style = { left: `${left}%`, width: `${Math.min(100, placeIn(shown, to)) - left}%` } as CSSProperties;
  return <span className={styles.stay} style={style} data-open={open} data-tip={tip} data-testid="life-stay" />;
}
