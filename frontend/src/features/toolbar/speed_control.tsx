/** How fast the cluster's clock runs: a slider with even steps from 0.1x to 100x, in a small popover. */
import { useId, useRef, useState } from "react";
import { useCluster, useClusterSlug } from "../../app/cluster_context";
import { t } from "../../app/messages";
import type { Action } from "../../app/use_action";
import { SPEEDS, speedStep } from "../../model/speed";
import { setSpeed } from "../../transport/api";
import { useIsHeld } from "../../ui/acting";
import { Icon } from "../../ui/icons";
import styles from "./speed_control.module.css";
import bar from "./top_bar.module.css";

export function SpeedControl({ action }: { readonly action: Action }) {
  const slug = useClusterSlug();
  const speed = useCluster(({ cluster }) => cluster.speed);
  return (
    <SpeedSlider speed={speed} label={t.clock.speedLabel} onSpeed={(one) => void action.run(setSpeed(slug, one))} />
  );
}

interface SpeedSliderProps {
  readonly speed: number;
  readonly label: string;
  readonly onSpeed: (speed: number) => void;
  /** It only concerns what is shown, so that it may also be used while nothing may be changed. */
  readonly harmless?: boolean;
}

export function SpeedSlider({ speed, label, onSpeed, harmless = false }: SpeedSliderProps) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const held = useIsHeld(!harmless);
  const step = speedStep(speed);
  return (
    <span className={styles.anchor}>
      <button
        ref={button}
        type="button"
        className={bar.speed}
        aria-label={`${label}: ${t.topBar.speedOf(speed)}`}
        aria-expanded={open}
        popoverTarget={id}
        disabled={held}
        data-tip={label}
        data-testid="speed"
        data-no-drag
      >
        {t.topBar.speedOf(speed)}
        <Icon name="chevron_down" size={12} />
      </button>
      <div
        id={id}
        popover="auto"
        className={styles.panel}
        onToggle={(event) => {
          setOpen(event.newState === "open");
          if (event.newState === "open" && button.current) openBelow(event.currentTarget, button.current);
        }}
      >
        <input
          type="range"
          min={0}
          max={SPEEDS.length - 1}
          step={1}
          value={step}
          aria-label={label}
          aria-valuetext={t.topBar.speedOf(speed)}
          data-testid="speed-slider"
          onChange={(event) => onSpeed(SPEEDS[Number(event.target.value)] ?? 1)}
        />
        <div className={styles.steps} aria-hidden="true">
          {SPEEDS.map((one, place) => (
            <span key={one} data-on={place === step} style={{ left: `${(100 * place) / (SPEEDS.length - 1)}%` }}>
              {one}
            </span>
          ))}
        </div>
      </div>
    </span>
  );
}

function openBelow(panel: HTMLElement, button: HTMLElement): void {
  const { left, bottom } = button.getBoundingClientRect();
  panel.style.left = `${Math.max(4, Math.min(left, window.innerWidth - panel.offsetWidth - 4))}px`;
  panel.style.top = `${bottom + 4}px`;
  panel.querySelector("input")?.focus();
}
