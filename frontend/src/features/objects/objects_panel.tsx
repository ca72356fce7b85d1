/** Every object that is neither pod, node, event nor workload: webhooks, policies, budgets, claims, leases, ... */
import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useMemo, useState } from "react";
import { useCluster } from "../../app/cluster_context";
import { t } from "../../app/messages";
import { useSelected } from "../../app/use_store";
import { isSelected, openEditor, select, workbench } from "../../app/workbench";
import type { ObjectCard } from "../../model/messages.generated";
import type { ClusterState } from "../../model/state";
import { EmptyState } from "../../ui/empty_state";
import { Menu } from "../../ui/menu";
import { grouped } from "./grouped";
import { kindsQuery } from "./kinds";
import styles from "./objects.module.css";
import { skeletonOf } from "./skeletons";

/** Of one kind; who looks for another writes a word of its name. */
const MOST = 100;

const selectObjects = (state: ClusterState) => state.objects;

export function ObjectsPanel() {
  const objects = useCluster(selectObjects);
  const [text, setText] = useState("");
  const wanted = useDeferredValue(text);
  const groups = useMemo(() => grouped(objects.values(), wanted), [objects, wanted]);
  return (
    <div className={styles.panel} data-testid="objects">
      <div className={styles.bar}>
        <input
          type="search"
          aria-label={t.objects.filter}
          placeholder={t.objects.filterHint}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <NewMenu />
      </div>
      {objects.size === 0 && <EmptyState title={t.objects.empty}>{t.objects.emptyHint}</EmptyState>}
      {objects.size > 0 && groups.length === 0 && <EmptyState title={t.objects.none} />}
      {groups.map(({ kind, objects: found }) => (
        <section key={kind} aria-label={kind}>
          <h2>
            {kind} <span className="num">{found.length}</span>
          </h2>
          <ul>
            {found.slice(0, MOST).map((object) => (
              <ObjectRow key={object.uid} object={object} />
            ))}
          </ul>
          {found.length > MOST && <p className={styles.more}>{t.objects.more(found.length - MOST)}</p>}
        </section>
      ))}
    </div>
  );
}

function ObjectRow({ object: { uid, name, namespace } }: { readonly object: ObjectCard }) {
  const chosen = useSelected(workbench, (bench) => isSelected(bench, "object", uid));
  return (
    <li>
      <button
        type="button"
        aria-pressed={chosen}
        onClick={() => select({ kind: "object", uid })}
        data-testid="object"
        data-object={name}
      >
        <span>{name}</span>
        {namespace && <span className={styles.namespace}>{namespace}</span>}
      </button>
    </li>
  );
}

function NewMenu() {
  const { data = [] } = useQuery(kindsQuery);
  const items = data
    .filter(({ kind }) => kind !== "Event")
    .map((card) => ({
      id: `new-${card.kind}`,
      label: card.kind,
      run: () => openEditor({ kind: "new", yaml: skeletonOf(card) }),
    }))
    .sort((one, other) => one.label.localeCompare(other.label));
  if (items.length === 0) return null;
  return (
    <Menu items={items} label={t.objects.newTitle} buttonClassName={styles.new} testId="new-object">
      {t.objects.newOne}
    </Menu>
  );
}
