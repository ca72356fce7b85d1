/** Larger, smaller, everything: in the corner of the board, and on the keys + - 0. */
import { t } from "../../app/messages";
import { IconButton } from "../../ui/button";
import styles from "./zoom_controls.module.css";

interface ZoomControlsProps {
  readonly onZoom: (factor: number) => void;
  readonly onFit: () => void;
}

const STEP = 1.4;

export function ZoomControls({ onZoom, onFit }: ZoomControlsProps) {
  return (
    <div className={styles.controls} data-testid="zoom-controls">
      <IconButton small icon="plus" label={t.boardView.zoomIn} shortcut="+" onClick={() => onZoom(STEP)} />
      <IconButton small icon="minus" label={t.boardView.zoomOut} shortcut="-" onClick={() => onZoom(1 / STEP)} />
      <IconButton small icon="fit" label={t.boardView.fit} shortcut="0" onClick={onFit} />
    </div>
  );
}
