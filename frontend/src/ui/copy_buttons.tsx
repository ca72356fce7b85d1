/** Copies a table as CSV or JSON. The text is only made when it is asked for. */
import { useState } from "react";
import { t } from "../app/messages";
import { Button } from "./button";

interface CopyButtonsProps {
  readonly csv: () => string;
  readonly json: () => unknown;
}

export function CopyButtons({ csv, json }: CopyButtonsProps) {
  return (
    <span style={{ display: "inline-flex" }}>
      <CopyButton label="CSV" text={csv} />
      <CopyButton label="JSON" text={() => JSON.stringify(json(), null, 2)} />
    </span>
  );
}

interface CopyButtonProps {
  readonly label: string;
  readonly text: () => string;
}

export function CopyButton({ label, text }: CopyButtonProps) {
  const [said, setSaid] = useState("");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text());
      setSaid(t.inspector.copied);
    } catch (problem) {
      setSaid(t.inspector.notCopied);
      console.warn("The clipboard refused.", problem);
    }
  };
  return (
    <Button
      small
      look="quiet"
      icon="copy"
      aria-label={t.inspector.copyAs(label)}
      onClick={() => void copy()}
      onBlur={() => setSaid("")}
    >
      <span aria-live="polite">{said || label}</span>
    </Button>
  );
}
