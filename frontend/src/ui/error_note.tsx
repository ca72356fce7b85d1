/** An error of the API, shown where the person acted, until they dismiss it or act again. */
import { t } from "../app/messages";
import type { ApiError } from "../transport/errors";
import { IconButton } from "./button";
import styles from "./error_note.module.css";
import { Icon } from "./icons";

interface ErrorNoteProps {
  readonly error: ApiError;
  readonly onDismiss?: (() => void) | undefined;
}

export function ErrorNote({ error, onDismiss }: ErrorNoteProps) {
  return (
    <div className={styles.note} role="alert" data-testid="error-note">
      <Icon name="warning" />
      <div>
        <div>{error.message}</div>
        {error.details.length > 0 && (
          <ul className={styles.details}>
            {error.details.map((detail) => (
              <li key={`${detail.path} ${detail.message}`}>
                {detail.path && <code>{detail.path}</code>} {detail.message}
              </li>
            ))}
          </ul>
        )}
      </div>
      {onDismiss && <IconButton icon="close" label={t.dismiss} small onClick={onDismiss} />}
    </div>
  );
}
