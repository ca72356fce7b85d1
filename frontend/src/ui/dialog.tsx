/** A modal question: the browser's own <dialog>, so focus is trapped and given back, and Escape closes. */
import { type ReactNode, useId, useLayoutEffect, useRef } from "react";
import { t } from "../app/messages";
import { IconButton } from "./button";
import styles from "./dialog.module.css";

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Buttons. */
  readonly foot?: ReactNode;
  readonly testId?: string;
  /** For tables and long forms. */
  readonly wide?: boolean;
}

export function Dialog({ title, onClose, children, foot, testId, wide = false }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useLayoutEffect(() => {
    const opener = document.activeElement;
    const dialog = element.current;
    dialog?.showModal();
    return () => {
      dialog?.close();
      // A dialog that is taken out of the document gives nothing back by itself.
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
  return (
    <dialog
      ref={element}
      className={styles.dialog}
      data-wide={wide}
      aria-labelledby={heading}
      data-testid={testId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <div className={styles.head}>
        <h2 id={heading}>{title}</h2>
        <IconButton icon="close" label={t.close} onClick={onClose} />
      </div>
      <div className={styles.body}>{children}</div>
      {foot && <div className={styles.foot}>{foot}</div>}
    </dialog>
  );
}
