/**
 * Templates of pods and nodes: dragged onto the board or a node, or made at once with a click or Enter.
 * Below them taints, labels and images, which are dragged onto nodes.
 */
import { useDraggable } from "@dnd-kit/core";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { t } from "../../app/messages";
import { prefer, preferences } from "../../app/preferences";
import { useStore } from "../../app/use_store";
import { openEditor } from "../../app/workbench";
import type { Grip } from "../../interaction/drag";
import type { Failure } from "../../interaction/perform";
import { manifestOf } from "../../interaction/template_manifest";
import type { Template } from "../../transport/api_types";
import { asApiError } from "../../transport/errors";
import { Button } from "../../ui/button";
import { ErrorNote } from "../../ui/error_note";
import { Icon } from "../../ui/icons";
import { Refusals } from "../touch/refusals";
import { useDoer } from "../touch/use_deed";
import { MarkSection } from "./marks";
import styles from "./palette.module.css";
import { useTemplates } from "./use_templates";

export function Palette() {
  const { data, error, refetch } = useTemplates();
  if (error) {
    return (
      <div className={styles.palette}>
        <ErrorNote error={asApiError(error)} />
        <Button onClick={() => void refetch()}>{t.retry}</Button>
      </div>
    );
  }
  return (
    <div className={styles.palette} data-testid="palette">
      <Section title={t.palette.pods} hint={t.palette.podsHint} templates={data?.filter(({ kind }) => kind === "Pod")}>
        <DropWay />
      </Section>
      <Section
        title={t.palette.nodes}
        hint={t.palette.nodesHint}
        templates={data?.filter(({ kind }) => kind === "Node")}
      />
      <MarkSection kind="taint" />
      <MarkSection kind="label" />
      <MarkSection kind="image" />
      <Button icon="edit" onClick={() => openEditor({ kind: "new", yaml: "" })}>
        {t.palette.fromYaml}
      </Button>
    </div>
  );
}

interface SectionProps {
  readonly title: string;
  readonly hint: string;
  /** Undefined while they are being read. */
  readonly templates: readonly Template[] | undefined;
  /** Below the hint. */
  readonly children?: ReactNode;
}

function Section({ title, hint, templates, children }: SectionProps) {
  return (
    <details className={styles.section} open>
      <summary>
        <h2>{title}</h2>
      </summary>
      <p className={styles.hint}>{hint}</p>
      {children}
      <div className={styles.list}>
        {templates?.map((template) => <TemplateItem key={template.id} template={template} />) ?? <Skeleton />}
      </div>
    </details>
  );
}

const WAYS = ["ask", "hand", "affinity"] as const;

function DropWay() {
  const { dropWay } = useStore(preferences);
  return (
    <label className={styles.way}>
      {t.dropWay.label}
      <select
        value={dropWay}
        onChange={(event) => prefer({ dropWay: WAYS.find((way) => way === event.target.value) ?? "ask" })}
        data-testid="drop-way"
      >
        {WAYS.map((way) => (
          <option key={way} value={way}>
            {t.dropWay[way]}
          </option>
        ))}
      </select>
    </label>
  );
}

function Skeleton() {
  return (
    <>
      <div className={styles.skeleton} />
      <div className={styles.skeleton} />
      <div className={styles.skeleton} />
    </>
  );
}

function TemplateItem({ template }: { readonly template: Template }) {
  const data: Grip = { kind: "template", template };
  const { setNodeRef, listeners, attributes, isDragging } = useDraggable({ id: `template:${template.id}`, data });
  const { busy, failures, clear, create, created } = useCreate(template);
  const isPod = template.kind === "Pod";
  return (
    <div>
      <button
        ref={setNodeRef}
        type="button"
        {...attributes}
        {...listeners}
        className={styles.item}
        data-dragging={isDragging}
        data-testid={`template-${template.id}`}
        data-template-kind={template.kind}
        aria-label={isPod ? t.palette.addPod(template.title) : t.palette.addNode(template.title)}
        aria-busy={busy}
        data-tip={template.description}
        onClick={() => void create()}
      >
        <Icon name={isPod ? "pod" : "node"} size={15} />
        <span className={styles.title}>{template.title}</span>
        <span className={styles.said}>
          <span className={styles.description} data-hidden={created !== ""}>
            {template.description}
          </span>
          <span className={styles.created} role="status">
            {created && t.palette.created(created)}
          </span>
        </span>
      </button>
      <Refusals failures={failures} onDismiss={clear} />
    </div>
  );
}

/** What was made stands in the place of the description for a while. */
const SHOW_CREATED_MS = 4000;

function useCreate(template: Template) {
  const doer = useDoer();
  const [busy, setBusy] = useState(false);
  const [failures, setFailures] = useState<readonly Failure[]>([]);
  const [created, setCreated] = useState("");
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const create = async () => {
    setCreated("");
    setBusy(true);
    const done = await doer.do({ kind: "create", of: template.kind, manifest: manifestOf(template) });
    setBusy(false);
    setFailures(done.failures);
    setCreated(done.names[0] ?? "");
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setCreated(""), SHOW_CREATED_MS);
  };
  return { busy, failures, clear: () => setFailures([]), create, created };
}
