/**
 * Templates of pods and nodes. Dragged onto the board or a node, or made at once with a click or Enter.
 */
import { useDraggable } from "@dnd-kit/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useClusterSlug } from "../../app/cluster_context";
import { t } from "../../app/messages";
import { useAction } from "../../app/use_action";
import { openEditor } from "../../app/workbench";
import type { DragSource } from "../../interaction/drag";
import { createNode, createPod, listTemplates } from "../../transport/api";
import type { Template } from "../../transport/api_types";
import { asApiError } from "../../transport/errors";
import { send } from "../../transport/rest";
import { Button } from "../../ui/button";
import { ErrorNote } from "../../ui/error_note";
import { Icon } from "../../ui/icons";
import { manifestOf } from "../board/template_manifest";
import styles from "./palette.module.css";

export const useTemplates = () =>
  useQuery({
    queryKey: ["templates"],
    queryFn: ({ signal }) => send(listTemplates(), signal),
    staleTime: Number.POSITIVE_INFINITY,
  });

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
      <Section
        title={t.palette.pods}
        hint={t.palette.podsHint}
        templates={data?.filter(({ kind }) => kind === "Pod")}
      />
      <Section
        title={t.palette.nodes}
        hint={t.palette.nodesHint}
        templates={data?.filter(({ kind }) => kind === "Node")}
      />
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
}

function Section({ title, hint, templates }: SectionProps) {
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <p className={styles.hint}>{hint}</p>
      <div className={styles.list}>
        {templates?.map((template) => <TemplateItem key={template.id} template={template} />) ?? <Skeleton />}
      </div>
    </section>
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
  const data: DragSource = { kind: "template", template };
  const { setNodeRef, listeners, attributes, isDragging } = useDraggable({ id: `template:${template.id}`, data });
  const { busy, error, clear, create, created } = useCreate(template);
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
        <span className={styles.description} role="status" data-done={created !== ""}>
          {created ? t.palette.created(created) : template.description}
        </span>
      </button>
      {error && <ErrorNote error={error} onDismiss={clear} />}
    </div>
  );
}

/** What was made stands in the place of the description for a while. */
const SHOW_CREATED_MS = 4000;

function useCreate(template: Template) {
  const slug = useClusterSlug();
  const action = useAction();
  const [created, setCreated] = useState("");
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const create = async () => {
    setCreated("");
    const manifest = manifestOf(template);
    const namespace = manifest.metadata.namespace ?? "default";
    const asked = template.kind === "Node" ? createNode(slug, manifest) : createPod(slug, namespace, manifest);
    const made = await action.run(asked);
    setCreated(made?.metadata.name ?? "");
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setCreated(""), SHOW_CREATED_MS);
  };
  return { ...action, create, created };
}
