/** The keys of time: of the cluster's clock while live, of the past while that is shown. */
import { useMemo } from "react";
import type { KeyAction } from "../../app/actions";
import { useClusterSlug, useFeed, usePast } from "../../app/cluster_context";
import { t } from "../../app/messages";
import type { Action } from "../../app/use_action";
import { nextSpeed } from "../../model/speed";
import { pauseCluster, resumeCluster, setSpeed, stepCluster } from "../../transport/api";

export function useClockActions(action: Action): readonly KeyAction[] {
  const slug = useClusterSlug();
  const live = useFeed().state;
  const past = usePast();
  const { run } = action;
  return useMemo(() => {
    const standing = () => past.standing.get();
    const rewound = () => standing().past !== undefined;
    const pause = () => {
      if (rewound()) standing().playing ? past.pause() : past.play();
      else void run(live.get()?.cluster.state === "paused" ? resumeCluster(slug) : pauseCluster(slug));
    };
    const step = () => (rewound() ? past.step(1) : void run(stepCluster(slug)));
    const turn = (by: 1 | -1) => {
      if (rewound()) past.setSpeed(nextSpeed(standing().speed, by));
      else void run(setSpeed(slug, nextSpeed(live.get()?.cluster.speed ?? 1, by)));
    };
    return [
      { id: "pause", label: `${t.topBar.pause} / ${t.topBar.resume}`, key: " ", run: pause },
      { id: "step", label: `${t.topBar.step} / ${t.rewind.forth}`, key: ".", run: step },
      { id: "past-back", label: t.rewind.back, key: ",", run: () => past.step(-1) },
      { id: "live", label: t.rewind.live, key: "l", run: () => past.goLive() },
      { id: "slower", label: t.clock.slower, key: "<", run: () => turn(-1) },
      { id: "faster", label: t.clock.faster, key: ">", run: () => turn(1) },
    ];
  }, [slug, live, past, run]);
}
