/** What a node has and what is requested of it; what it has can be changed in place. */
import { type FormEvent, useId, useState } from "react";
import { t } from "../../app/messages";
import type { Deed } from "../../interaction/deeds";
import { type Problem, parseQuantity, parseResource } from "../../interaction/marks";
import type { NodeCard } from "../../model/messages.generated";
import { own } from "../../model/own";
import { formatQuantity } from "../../model/quantity";
import type { NodeLoad } from "../../model/state";
import { Button, IconButton } from "../../ui/button";
import { Refusals } from "../touch/refusals";
import { type DeedAction, useDeed } from "../touch/use_deed";
import { AddEntry } from "./add_entry";
import styles from "./inspector.module.css";

interface NodeResourcesProps {
  readonly node: NodeCard;
  readonly load: NodeLoad;
}

const amountDeed = (node: NodeCard, resource: string, quantity: string | null): Deed => ({
  kind: "edit_nodes",
  names: [node.name],
  edit: { kind: "allocatable", resource, quantity },
});

export function NodeResources({ node, load }: NodeResourcesProps) {
  const action = useDeed();
  const [edited, setEdited] = useState("");
  return (
    <>
      <table className={styles.resources}>
        <thead>
          <tr>
            <th scope="col">{t.inspector.resource}</th>
            <th scope="col" className="num">
              {t.board.requested}
            </th>
            <th scope="col" className="num">
              {t.board.allocatable}
            </th>
            <th scope="col" className="num">
              {t.board.free}
            </th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(node.allocatable).map(([resource, allocatable]) => (
            <tr key={resource} data-over={allocatable < (own(load.usage, resource) ?? 0)}>
              <th scope="row">{resource}</th>
              <td className="num">{formatQuantity(resource, own(load.usage, resource) ?? 0)}</td>
              <td className="num">
                <button
                  type="button"
                  className={styles.amountButton}
                  aria-label={`${t.nodeEdit.edit(resource)}, ${formatQuantity(resource, allocatable)}`}
                  aria-expanded={edited === resource}
                  data-tip={t.nodeEdit.edit(resource)}
                  data-testid={`allocatable-${resource}`}
                  onClick={() => setEdited(edited === resource ? "" : resource)}
                >
                  {formatQuantity(resource, allocatable)}
                </button>
              </td>
              <td className="num">{formatQuantity(resource, allocatable - (own(load.usage, resource) ?? 0))}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {edited !== "" && edited in node.allocatable && (
        <AmountForm key={edited} node={node} resource={edited} action={action} onDone={() => setEdited("")} />
      )}
      <AddEntry
        label={t.nodeEdit.addResource}
        placeholder="example.com/gpu=2"
        parse={parseResource}
        onAdd={async ({ resource, quantity }) => (await action.run(amountDeed(node, resource, quantity))) || undefined}
      />
      <Refusals failures={action.failures} onDismiss={action.clear} />
    </>
  );
}

interface AmountFormProps {
  readonly node: NodeCard;
  readonly resource: string;
  readonly action: DeedAction;
  readonly onDone: () => void;
}

function AmountForm({ node, resource, action, onDone }: AmountFormProps) {
  const id = useId();
  const [text, setText] = useState(() => formatQuantity(resource, own(node.allocatable, resource) ?? 0));
  const [problem, setProblem] = useState<Problem>();
  const set = async (quantity: string | null) => {
    if (await action.run(amountDeed(node, resource, quantity))) onDone();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const parsed = parseQuantity(text);
    setProblem("problem" in parsed ? parsed.problem : undefined);
    if ("value" in parsed) void set(parsed.value);
  };
  return (
    <form
      className={styles.add}
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        onDone();
      }}
    >
      <input
        // biome-ignore lint/a11y/noAutofocus: the amount was pressed to be changed here
        autoFocus
        aria-label={t.nodeEdit.amount(resource)}
        aria-invalid={problem !== undefined}
        aria-describedby={id}
        maxLength={30}
        value={text}
        onChange={(event) => setText(event.target.value)}
        data-testid="amount-field"
      />
      <Button small acts type="submit" disabled={action.busy}>
        {t.nodeEdit.save}
      </Button>
      {resource.includes("/") && (
        <IconButton
          icon="trash"
          small
          acts
          label={t.nodeEdit.removeResource(resource)}
          onClick={() => void set(null)}
        />
      )}
      <p id={id} role={problem && "alert"}>
        {problem && t.marks.problems[problem]}
      </p>
    </form>
  );
}
