/** Play, step, scrub, speed. */
import { t } from "../../app/messages";
import { PLAYBACK_SPEEDS, type Playback } from "../../model/playback";
import { IconButton } from "../../ui/button";
import { Icon } from "../../ui/icons";
import { Menu } from "../../ui/menu";
import styles from "./film_panel.module.css";
import { tellFilm } from "./film_store";

export function FilmControls({ playback: { at, frames, playing, speed } }: { readonly playback: Playback }) {
  return (
    <div className={styles.controls}>
      <IconButton
        icon="step_back"
        small
        label={t.film.back}
        shortcut="←"
        disabled={at === 0}
        onClick={() => tellFilm({ type: "stepped", by: -1 })}
        data-testid="film-back"
      />
      <IconButton
        icon={playing ? "pause" : "play"}
        small
        label={playing ? t.film.pause : t.film.play}
        shortcut="Space"
        onClick={() => tellFilm({ type: "toggled" })}
        data-testid="film-play"
      />
      <IconButton
        icon="step"
        small
        label={t.film.forth}
        shortcut="→"
        disabled={at >= frames - 1}
        onClick={() => tellFilm({ type: "stepped", by: 1 })}
        data-testid="film-forth"
      />
      <input
        type="range"
        min={0}
        max={frames - 1}
        value={at}
        aria-label={t.film.scrub}
        aria-valuetext={t.film.frameOf(at + 1, frames)}
        onChange={(event) => tellFilm({ type: "sought", at: Number(event.target.value) })}
        data-testid="film-scrub"
      />
      <span className={styles.count}>{t.film.frameOf(at + 1, frames)}</span>
      <Menu
        label={t.film.speed}
        buttonClassName={styles.speed}
        items={PLAYBACK_SPEEDS.map((one) => ({
          id: `film-speed-${one}`,
          label: t.film.speedOf(one),
          checked: one === speed,
          run: () => tellFilm({ type: "sped", speed: one }),
        }))}
      >
        {t.film.speedOf(speed)}
        <Icon name="chevron_down" size={11} />
      </Menu>
    </div>
  );
}
