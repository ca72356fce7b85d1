/** A new breakpoint: what to stop at, for which pods. What is missing the server names. */
import { useId, useState } from "react";
import { t } from "../../app/messages";
import type { WantedBreakpoint } from "../../transport/history_api";
import { Button } from "../../ui/button";
import styles from "./breakpoints.module.css";

const KINDS = ["pod", "plugin", "failure", "preemption"] as const;
const POINTS = ["preFilter", "filter", "postFilter", "preScore", "score", "reserve", "permit"] as const;
const WHENS = ["rejects", "runs"] as const;

interface BreakpointFormProps {
  readonly busy: boolean;
  readonly onAdd: (wanted: WantedBreakpoint) => void;
}

export function BreakpointForm({ busy, onAdd }: BreakpointFormProps) {
  const [wanted, setWanted] = useState<WantedBreakpoint>({ on: "pod" });
  const change = (part: Partial<WantedBreakpoint>) => setWanted({ ...wanted, ...part });
  const atPlugin = wanted.on === "plugin";
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        onAdd(atPlugin ? wanted : { on: wanted.on, name: wanted.name ?? "", namespace: wanted.namespace ?? "" });
      }}
    >
      <Choice
        label={t.breakpoints.on}
        value={wanted.on}
        options={KINDS.map((kind) => [kind, t.breakpoints.kinds[kind]])}
        testId="breakpoint-on"
        onChange={(on) => change({ on })}
      />
      {atPlugin && <PluginFields wanted={wanted} onChange={change} />}
      <label>
        {t.breakpoints.name}
        <input
          value={wanted.name ?? ""}
          maxLength={253}
          placeholder={wanted.on === "pod" ? t.breakpoints.nameHint : t.breakpoints.anyPod}
          data-testid="breakpoint-name"
          onChange={(event) => change({ name: event.target.value.trim() })}
        />
      </label>
      <label>
        {t.breakpoints.namespace}
        <input
          value={wanted.namespace ?? ""}
          maxLength={63}
          placeholder={t.breakpoints.namespaceHint}
          onChange={(event) => change({ namespace: event.target.value.trim() })}
        />
      </label>
      <Button acts type="submit" icon="plus" disabled={busy} data-testid="breakpoint-add">
        {t.breakpoints.add}
      </Button>
    </form>
  );
}

interface PluginFieldsProps {
  readonly wanted: WantedBreakpoint;
  readonly onChange: (part: Partial<WantedBreakpoint>) => void;
}

function PluginFields({ wanted, onChange }: PluginFieldsProps) {
  const list = useId();
  return (
    <>
      <label>
        {t.breakpoints.plugin}
        <input
          value={wanted.plugin ?? ""}
          maxLength={253}
          list={list}
          data-testid="breakpoint-plugin"
          onChange={(event) => onChange({ plugin: event.target.value.trim() })}
        />
        <datalist id={list}>
          {Object.keys(t.plugins).map((plugin) => (
            <option key={plugin} value={plugin} />
          ))}
        </datalist>
      </label>
      <Choice
        label={t.breakpoints.point}
        value={wanted.point ?? ""}
        options={[["", t.breakpoints.anyPoint], ...POINTS.map((point) => [point, point] as const)]}
        onChange={(point) => onChange({ point })}
      />
      <Choice
        label={t.breakpoints.when}
        value={wanted.when ?? "rejects"}
        options={WHENS.map((when) => [when, t.breakpoints.whens[when]])}
        onChange={(when) => onChange({ when })}
      />
    </>
  );
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly (readonly [value: Value, text: string])[];
  readonly onChange: (value: Value) => void;
  readonly testId?: string;
}

function Choice<Value extends string>({ label, value, options, onChange, testId }: ChoiceProps<Value>) {
  return (
    <label>
      {label}
      <select value={value} data-testid={testId} onChange={(event) => onChange(event.target.value as Value)}>
        {options.map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
