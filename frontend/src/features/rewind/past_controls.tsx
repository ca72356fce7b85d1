/** In the place of the clock's controls while the past is shown: step back and on by change, play it at a speed. */
import type { ReactNode } from "react";
import { shownKey } from "../../app/actions";
import { usePast } from "../../app/cluster_context";
import { t } from "../../app/messages";
import { useStore } from "../../app/use_store";
import { isAtOldest } from "../../transport/past_feed";
import { IconButton } from "../../ui/button";
import { SpeedSlider } from "../toolbar/speed_control";

export function PastControls({ children }: { readonly children: ReactNode }) {
  const past = usePast();
  const standing = useStore(past.standing);
  const { playing, speed, atNewest } = standing;
  return (
    <>
      <IconButton
        icon="step_back"
        label={t.rewind.back}
        shortcut=","
        disabled={isAtOldest(standing)}
        data-testid="past-back"
        onClick={() => past.step(-1)}
      />
      <IconButton
        icon={playing ? "pause" : "play"}
        label={playing ? t.rewind.pause : t.rewind.play}
        shortcut={shownKey(" ")}
        disabled={atNewest}
        data-testid="past-play"
        onClick={() => (playing ? past.pause() : past.play())}
      />
      <IconButton
        icon="step"
        label={t.rewind.forth}
        shortcut="."
        disabled={atNewest}
        data-testid="past-forth"
        onClick={() => past.step(1)}
      />
      {children}
      <SpeedSlider speed={speed} label={t.rewind.speed} harmless onSpeed={(one) => past.setSpeed(one)} />
    </>
  );
}
