/** A field that adds one thing; what cannot be read is said under it. */
import { type FormEvent, useState } from "react";
import { t } from "../../app/messages";
import type { Parsed } from "../../interaction/marks";
import { Button } from "../../ui/button";
import styles from "./inspector.module.css";

interface AddEntryProps<T> {
  readonly label: string;
  readonly placeholder: string;
  readonly parse: (text: string) => Parsed<T>;
  /** Resolves to undefined when it was refused. */
  readonly onAdd: (value: T) => Promise<unknown>;
}

export function AddEntry<T>({ label, placeholder, parse, onAdd }: AddEntryProps<T>) {
  const [text, setText] = useState("");
  const [problem, setProblem] = useState("");
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const parsed = parse(text);
    if ("problem" in parsed) return setProblem(t.marks.problems[parsed.problem]);
    setProblem("");
    if (await onAdd(parsed.value)) setText("");
  };
  return (
    <form className={styles.add} onSubmit={(event) => void submit(event)}>
      <input
        aria-label={label}
        aria-invalid={problem !== ""}
        placeholder={placeholder}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <Button small acts type="submit" icon="plus" disabled={text.trim() === ""}>
        {label}
      </Button>
      {problem && <p role="alert">{problem}</p>}
    </form>
  );
}
