/** Over the whole page while a file is held over it: where it goes when it is let go. */
import styles from "./drop_overlay.module.css";
import { Icon } from "./icons";

interface DropOverlayProps {
  readonly title: string;
  readonly hint: string;
}

export function DropOverlay({ title, hint }: DropOverlayProps) {
  return (
    <div className={styles.overlay} data-testid="drop-overlay">
      <div className={styles.target}>
        <Icon name="upload" size={28} />
        <b>{title}</b>
        <span>{hint}</span>
      </div>
    </div>
  );
}
