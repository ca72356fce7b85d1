/** The open question about nodes or pods, as a dialog: the keyboard's way to what a drag does. */
import { type FormEvent, type ReactNode, useId, useState } from "react";
import { useCluster } from "../../app/cluster_context";
import { t } from "../../app/messages";
import { useStore } from "../../app/use_store";
import { type Deed, kubectlLine } from "../../interaction/deeds";
import { type MarkKind, parseLabel, parseMark } from "../../interaction/marks";
import { groupsOf } from "../../model/grouping";
import { loadOfNode } from "../../model/selectors";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { closeForm, type Form, form } from "./form_store";
import { MoveForm } from "./move_form";
import { groupLabelWord } from "./node_actions";
import { Refusals } from "./refusals";
import styles from "./touch.module.css";
import { useDeed } from "./use_deed";

export default function Forms() {
  const open = useStore(form);
  if (!open) return null;
  return <OpenForm key={JSON.stringify(open)} open={open} />;
}

function OpenForm({ open }: { readonly open: Form }) {
  switch (open.kind) {
    case "mark":
      return <MarkForm mark={open.mark} names={open.names} />;
    case "group":
      return <GroupForm label={open.label} names={open.names} />;
    case "drain":
      return <DrainForm names={open.names} />;
    case "delete_nodes":
      return <DeleteNodesForm names={open.names} />;
    case "delete_pods":
      return <DeletePodsForm pods={open.pods} />;
    default:
      return <MoveForm pods={open.pods} />;
  }
}

interface DeedFormProps {
  readonly title: string;
  /** Undefined while what was typed cannot be read. */
  readonly deed: Deed | undefined;
  readonly confirm: string;
  readonly danger?: boolean;
  readonly children?: ReactNode;
}

/** Says the deed as a command, does it, and stays open with what was refused. */
function DeedForm({ title, deed, confirm, danger = false, children }: DeedFormProps) {
  const id = useId();
  const { busy, failures, run } = useDeed();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (deed && (await run(deed))) closeForm();
  };
  const line = deed ? kubectlLine(deed) : "";
  return (
    <Dialog
      title={title}
      onClose={closeForm}
      testId="touch-form"
      foot={
        <>
          <Button onClick={closeForm}>{t.cancel}</Button>
          <Button
            acts
            look={danger ? "danger" : "primary"}
            type="submit"
            form={id}
            disabled={busy || !deed}
            data-testid="touch-form-confirm"
          >
            {confirm}
          </Button>
        </>
      }
    >
      <form id={id} className={styles.form} onSubmit={(event) => void submit(event)}>
        {children}
        {line && (
          <pre className={styles.line} data-testid="command-line">
            {line}
          </pre>
        )}
        <Refusals failures={failures} />
      </form>
    </Dialog>
  );
}

interface NodesProps {
  readonly names: readonly string[];
}

function MarkForm({ mark, names }: NodesProps & { readonly mark: MarkKind }) {
  const [text, setText] = useState("");
  const parsed = parseMark(mark, text);
  const problem = text !== "" && "problem" in parsed ? t.marks.problems[parsed.problem] : "";
  const deed: Deed | undefined =
    "value" in parsed ? { kind: "edit_nodes", names, edit: { kind: "put", mark: parsed.value } } : undefined;
  return (
    <DeedForm title={t.forms.mark[mark]} deed={deed} confirm={t.forms.add}>
      <p>{t.forms.onNodes(names)}</p>
      <Field
        label={t.marks.kinds[mark]}
        hint={t.marks.fields[mark]}
        value={text}
        onChange={setText}
        problem={problem}
      />
    </DeedForm>
  );
}

interface FieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly problem: string;
  readonly options?: readonly string[];
}

function Field({ label, hint, value, onChange, problem, options }: FieldProps) {
  const id = useId();
  return (
    <label>
      {label}
      <input
        // biome-ignore lint/a11y/noAutofocus: the dialog was opened to type here
        autoFocus
        maxLength={600}
        spellCheck={false}
        list={options && id}
        placeholder={hint}
        aria-invalid={problem !== ""}
        aria-describedby={`${id}-problem`}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        data-testid="touch-field"
      />
      {options && (
        <datalist id={id}>
          {options.map((option) => (
            <option key={option} value={option} />
          ))}
        </datalist>
      )}
      <output id={`${id}-problem`} className={styles.problem}>
        {problem}
      </output>
    </label>
  );
}

function GroupForm({ label, names }: NodesProps & { readonly label: string }) {
  const groups = useCluster((state) => groupsOf(state.nodes, label));
  const [text, setText] = useState("");
  const parsed = parseLabel(`${label}=${text}`);
  const problem = "problem" in parsed ? t.marks.problems.value : "";
  const edit = { kind: "label", key: label, value: text || null } as const;
  return (
    <DeedForm
      title={t.forms.group(groupLabelWord(label))}
      deed={problem ? undefined : { kind: "edit_nodes", names, edit }}
      confirm={t.forms.change}
    >
      <p>{t.forms.onNodes(names)}</p>
      <Field
        label={t.forms.groupField(label)}
        hint={t.forms.groupHint}
        value={text}
        onChange={setText}
        problem={problem}
        options={groups.map(({ name }) => name).filter(Boolean)}
      />
    </DeedForm>
  );
}

function DrainForm({ names }: NodesProps) {
  const [ignore_daemonsets, setIgnore] = useState(true);
  const [delete_emptydir_data, setDelete] = useState(false);
  const [force, setForce] = useState(false);
  const options = { ignore_daemonsets, delete_emptydir_data, force };
  return (
    <DeedForm
      title={t.forms.drain(names)}
      deed={{ kind: "drain", names, options }}
      confirm={t.forms.drainConfirm}
      danger
    >
      <p>{t.forms.drainText}</p>
      <Flag label={t.forms.ignoreDaemonsets} flag="--ignore-daemonsets" on={ignore_daemonsets} onChange={setIgnore} />
      <Flag
        label={t.forms.deleteEmptydir}
        flag="--delete-emptydir-data"
        on={delete_emptydir_data}
        onChange={setDelete}
      />
      <Flag label={t.forms.force} flag="--force" on={force} onChange={setForce} />
    </DeedForm>
  );
}

interface FlagProps {
  readonly label: string;
  readonly flag: string;
  readonly on: boolean;
  readonly onChange: (on: boolean) => void;
}

function Flag({ label, flag, on, onChange }: FlagProps) {
  return (
    <label className={styles.flag}>
      <input type="checkbox" checked={on} onChange={(event) => onChange(event.target.checked)} />
      <span>
        {label} <code>{flag}</code>
      </span>
    </label>
  );
}

function DeleteNodesForm({ names }: NodesProps) {
  const pods = useCluster((state) => names.reduce((sum, name) => sum + loadOfNode(state, name).pods.length, 0));
  return (
    <DeedForm
      title={t.forms.removeNodes(names)}
      deed={{ kind: "delete_nodes", names }}
      confirm={t.forms.removeNodesConfirm}
      danger
    >
      <p>{t.forms.removeNodesText(pods)}</p>
    </DeedForm>
  );
}

function DeletePodsForm({ pods }: { readonly pods: Extract<Form, { kind: "delete_pods" }>["pods"] }) {
  return (
    <DeedForm
      title={t.forms.removePods(pods.map(({ name }) => name))}
      deed={{ kind: "delete_pods", pods: pods.map(({ namespace, name }) => ({ namespace, name })) }}
      confirm={t.podActions.remove}
      danger
    >
      <p>{t.forms.removePodsText}</p>
    </DeedForm>
  );
}
