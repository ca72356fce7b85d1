/**
 * A cluster small enough to stand beside its name: a cell a node, filled as far as its CPU is requested.
 *
 * A node that takes no pods is crossed out, so that colour never speaks alone; the same is said in
 * words to who cannot see it.
 */
import { t } from "../../app/messages";
import type { ClusterPicture as Picture } from "../../transport/openapi.generated";
import styles from "./cluster_picture.module.css";
import { average, type PictureLayout, pictureLayout } from "./picture_layout";

export function ClusterPicture({ picture, nodes }: { readonly picture: Picture; readonly nodes: number }) {
  const layout = pictureLayout(picture.cells.length);
  const { cell, columns, step } = layout;
  return (
    <svg
      className={styles.picture}
      viewBox={`0 0 ${layout.width} ${layout.height}`}
      preserveAspectRatio="xMinYMid meet"
      role="img"
      aria-label={pictureWords(picture, nodes)}
      data-testid="cluster-picture"
    >
      {picture.cells.length === 0 && <EmptyOutline layout={layout} />}
      {picture.cells.map(({ cpu, closed }, i) => {
        const x = (i % columns) * step;
        const y = Math.floor(i / columns) * step;
        const height = (cell * (cpu ?? 0)) / 100;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its place
          <g key={i} data-closed={closed}>
            <rect className={styles.node} x={x} y={y} width={cell} height={cell} rx={1.5} />
            <rect className={styles.used} x={x} y={y + cell - height} width={cell} height={height} rx={1.5} />
            {closed && <path className={styles.cross} d={`M${x + 2} ${y + 2}l${cell - 4} ${cell - 4}`} />}
          </g>
        );
      })}
    </svg>
  );
}

function EmptyOutline({ layout: { width, height } }: { readonly layout: PictureLayout }) {
  return <rect className={styles.empty} x={0.5} y={0.5} width={width - 1} height={height - 1} rx={2} />;
}

export function pictureWords({ cells }: Picture, nodes: number): string {
  const closed = cells.filter((cell) => cell.closed).length;
  const cpu = average(cells.map((cell) => cell.cpu ?? 0));
  const memory = average(cells.map((cell) => cell.memory ?? 0));
  return t.picture.label(nodes, cpu, memory) + t.picture.closed(closed);
}
