/** Which nodes passed Filter, and what each of the others was first rejected for. */
import { useMemo, useState } from "react";
import { t } from "../../app/messages";
import type { FilterReport } from "../../model/messages.generated";
import { Button } from "../../ui/button";
import { CopyButtons } from "../../ui/copy_buttons";
import { Meaning } from "../../ui/meaning";
import { type FilterGroup, filterCsv, filterGroups, filterRows } from "./decision_tables";
import { FilterMatrix } from "./filter_matrix";
import styles from "./inspector.module.css";
import { NodeLink } from "./links";
import { searchInWords } from "./search_in_words";
import { Section } from "./section";
import { StatusWord } from "./status_word";

/** Rows drawn at first: more are a click away, so that thousands of nodes cost nothing. */
const PAGE = 100;

interface FilterTableProps {
  readonly filter: FilterReport;
  /** The Filter plugins that ran, in their order. */
  readonly plugins: readonly string[];
}

export function FilterTable({ filter, plugins }: FilterTableProps) {
  const rows = useMemo(() => filterRows(filter), [filter]);
  const groups = useMemo(() => filterGroups(rows), [rows]);
  const [text, setText] = useState("");
  const [byPlugin, setByPlugin] = useState(false);
  const feasible = groups[0]?.status === undefined ? (groups[0]?.nodes.length ?? 0) : 0;
  return (
    <Section
      title="Filter"
      note={t.inspector.feasible(feasible, filter.evaluated)}
      end={<CopyButtons csv={() => filterCsv(rows)} json={() => rows} />}
      testId="filter-table"
    >
      {filter.evaluated < filter.total_nodes && (
        <p className={styles.plain}>{searchInWords(filter.evaluated, filter.total_nodes)}</p>
      )}
      {rows.length > 12 && (
        <input
          type="search"
          className={styles.search}
          aria-label={t.inspector.findNode}
          placeholder={t.inspector.findNode}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      )}
      {plugins.length > 0 && (
        <div className={styles.actions}>
          <Button small aria-pressed={byPlugin} onClick={() => setByPlugin(!byPlugin)} data-testid="by-plugin">
            {t.inspector.byPlugin}
          </Button>
        </div>
      )}
      {byPlugin ? (
        <FilterMatrix rows={text ? rows.filter(({ node }) => node.includes(text)) : rows} plugins={plugins} />
      ) : (
        groups.map((group) => (
          <Group
            key={group.status ? `${group.status.plugin} ${group.status.reasons}` : "fits"}
            group={group}
            text={text}
          />
        ))
      )}
    </Section>
  );
}

function Group({ group, text }: { readonly group: FilterGroup; readonly text: string }) {
  const [most, setMost] = useState(PAGE);
  const { status } = group;
  const nodes = text ? group.nodes.filter((node) => node.includes(text)) : group.nodes;
  if (nodes.length === 0) return null;
  return (
    <table className={styles.table} data-testid="filter-group" data-plugin={status?.plugin ?? ""}>
      <caption>
        <span className="num">{group.nodes.length}</span>
        {status ? (
          <>
            <b>{status.plugin || "PreFilter"}</b> <StatusWord status={status} />
          </>
        ) : (
          <Meaning name="fits" />
        )}
      </caption>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">{t.inspector.node}</th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <td className={styles.nodes}>
            {nodes.slice(0, most).map((node) => (
              <NodeLink key={node} name={node} />
            ))}
            {nodes.length > most && (
              <Button small look="quiet" onClick={() => setMost(most + PAGE * 10)}>
                {t.queue.more(nodes.length - most)}
              </Button>
            )}
          </td>
        </tr>
      </tbody>
    </table>
  );
}
