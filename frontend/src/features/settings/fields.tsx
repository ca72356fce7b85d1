/** A setting: its name, what it does, its value, and what the server has against it. */
import { type ReactNode, useId } from "react";
import styles from "./settings.module.css";

export interface FieldText {
  readonly name: string;
  readonly explain: string;
}

interface FieldProps {
  /** As the API has it. */
  readonly name: string;
  readonly text: FieldText;
  readonly problem: string | undefined;
}

interface NumberFieldProps extends FieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export function NumberField({ name, text, value, problem, onChange }: NumberFieldProps) {
  const id = useId();
  return (
    <Field id={id} text={text} problem={problem}>
      <input
        id={id}
        inputMode="decimal"
        maxLength={20}
        value={value}
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-explain`}
        onChange={(event) => onChange(event.target.value)}
        data-testid={`setting-${name}`}
      />
    </Field>
  );
}

interface SwitchFieldProps extends FieldProps {
  readonly on: boolean;
  readonly onChange: (on: boolean) => void;
}

export function SwitchField({ name, text, on, problem, onChange }: SwitchFieldProps) {
  const id = useId();
  return (
    <Field id={id} text={text} problem={problem}>
      <input
        id={id}
        type="checkbox"
        checked={on}
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-explain`}
        onChange={(event) => onChange(event.target.checked)}
        data-testid={`setting-${name}`}
      />
    </Field>
  );
}

interface FrameProps {
  readonly id: string;
  readonly text: FieldText;
  readonly problem: string | undefined;
  readonly children: ReactNode;
}

function Field({ id, text, problem, children }: FrameProps) {
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{text.name}</label>
      {children}
      <p id={`${id}-explain`}>{text.explain}</p>
      {problem && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
