/**
 * What preemption found: a column for each node where room could be made, its victims stacked with the most
 * important on top, and below them the rules, each with the candidates that fell out at it.
 */
import { useEffect, useMemo, useState } from "react";
import { t } from "../../app/messages";
import { formatTimeOfDay } from "../../model/clock";
import { preemptionOverlay } from "../../model/film";
import type { Candidate, PodRef, PreemptionReport } from "../../model/messages.generated";
import { filmOverlay } from "../../model/overlay";
import { byStaying, decidingRule, type JudgedCandidate, judged, RULES, type Rule } from "../../model/preemption";
import { Button } from "../../ui/button";
import { CopyButtons } from "../../ui/copy_buttons";
import { Icon } from "../../ui/icons";
import { Meaning, meaningClass } from "../../ui/meaning";
import { candidatesCsv, filterGroups, filterRows } from "./decision_tables";
import styles from "./inspector.module.css";
import { NodeLink } from "./links";
import own from "./preemption_view.module.css";
import { Section } from "./section";
import { StatusWord } from "./status_word";

export function PreemptionView({ preemption }: { readonly preemption: PreemptionReport }) {
  const { status, node, candidates, not_helpful: inVain } = preemption;
  return (
    <Section
      title={t.inspector.preemption}
      note={t.inspector.candidates(candidates.length)}
      end={candidates.length > 0 && <CopyButtons csv={() => candidatesCsv(candidates)} json={() => preemption} />}
      testId="preemption"
    >
      <p>
        {node ? (
          <>
            <Meaning name="nominated" /> <NodeLink name={node} />
          </>
        ) : (
          <StatusWord status={status} />
        )}
      </p>
      {candidates.length > 0 && <Drawn preemption={preemption} />}
      <Others pods={preemption.waiting_victims} what={t.preempting.waitingVictims} />
      <Others pods={preemption.nominations_cleared} what={t.preempting.cleared} />
      {inVain && inVain.nodes.length > 0 && (
        <div className={styles.plain}>
          {t.preempting.notHelpful(inVain.nodes.length)}
          {filterGroups(filterRows(inVain)).map(
            ({ status: why, nodes }) =>
              why && (
                <div key={why.reasons.join()} data-tip={nodes.slice(0, 12).join("\n")}>
                  {nodes.length} × <StatusWord status={why} />
                </div>
              ),
          )}
        </div>
      )}
    </Section>
  );
}

function Others({ pods, what }: { readonly pods: readonly PodRef[]; readonly what: string }) {
  if (pods.length === 0) return null;
  return (
    <p className={styles.plain}>
      {pods.map(({ namespace, name }) => `${namespace}/${name}`).join(", ")}: {what}
    </p>
  );
}

/** Columns drawn at first. */
const MOST = 6;

function Drawn({ preemption }: { readonly preemption: PreemptionReport }) {
  const { candidates, node, decided_by: rule } = preemption;
  const all = useMemo(() => judged(candidates), [candidates]);
  const columns = useMemo(() => byStaying(all, node), [all, node]);
  const deciding = useMemo(() => decidingRule(all), [all]);
  const [most, setMost] = useState(MOST);
  const shown = columns.slice(0, most);
  return (
    <>
      {rule && <p className={styles.plain}>{t.inspector.decidedBy(rule)}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolled with the arrow keys */}
      <section className={styles.scroll} aria-label={t.preempting.columns} tabIndex={0}>
        <table className={own.table}>
          <thead>
            <tr>
              <th scope="col">{t.inspector.node}</th>
              {shown.map(({ candidate }) => (
                <th key={candidate.node} scope="col" data-chosen={candidate.node === node} data-node={candidate.node}>
                  {candidate.node === node && <Meaning name="nominated" word="" />}
                  <NodeLink name={candidate.node} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <tr>
              <th scope="row">{t.inspector.victims}</th>
              {shown.map(({ candidate }) => (
                <td key={candidate.node} data-chosen={candidate.node === node}>
                  <Victims candidate={candidate} />
                </td>
              ))}
            </tr>
            {RULES.map((each, index) => (
              <RuleRow key={each} rule={each} index={index} deciding={deciding} columns={shown} chosen={node} />
            ))}
          </tbody>
        </table>
      </section>
      <div className={styles.actions}>
        <MarkOnBoard preemption={preemption} />
        {columns.length > most && (
          <Button small look="quiet" onClick={() => setMost(most + MOST * 4)}>
            {t.preempting.more(columns.length - most)}
          </Button>
        )}
      </div>
    </>
  );
}

/** Drawn of one node; the rest is a number. */
const MOST_VICTIMS = 12;

/** Most important first, as the report has them. Decisions stored by an older server lack the new fields. */
function Victims({ candidate }: { readonly candidate: Candidate }) {
  const { victims, priorities = [], budgets = [], pdb_violations } = candidate;
  return (
    <div className={own.victims}>
      {victims.slice(0, MOST_VICTIMS).map(({ uid, namespace, name }, place) => (
        <span key={uid} className={`${own.victim} ${meaningClass("victim")}`} data-tip={`${namespace}/${name}`}>
          <Icon name="victim" size={10} />
          <b>{name}</b>
          {priorities[place] !== undefined && (
            <i data-tip={t.preempting.priority(priorities[place])}>{priorities[place]}</i>
          )}
        </span>
      ))}
      {victims.length > MOST_VICTIMS && <small>{t.queue.more(victims.length - MOST_VICTIMS)}</small>}
      {budgets.map((budget) => (
        <small
          key={`${budget.namespace}/${budget.name}`}
          data-violated={pdb_violations > 0}
          data-testid="touched-budget"
        >
          {t.preempting.budget(`${budget.namespace}/${budget.name}`, budget.covered, budget.allowed)}
        </small>
      ))}
    </div>
  );
}

interface RuleRowProps {
  readonly rule: Rule;
  readonly index: number;
  readonly deciding: number | undefined;
  readonly columns: readonly JudgedCandidate[];
  readonly chosen: string;
}

/** Figures are compared until a candidate falls out; what stands below that was not asked any more. */
function RuleRow({ rule, index, deciding, columns, chosen }: RuleRowProps) {
  const beyond = deciding !== undefined && index > deciding;
  return (
    <tr data-rule={rule} data-decided={index === deciding} data-beyond={beyond}>
      <th scope="row" data-tip={t.preempting.rules[rule]}>
        {t.preempting.short[rule]}
        {index === deciding && <small>{t.preempting.decided}</small>}
      </th>
      {columns.map(({ candidate, fellAt }) => {
        const out = fellAt === index;
        return (
          <td
            key={candidate.node}
            className={out ? meaningClass("rejected") : undefined}
            data-chosen={candidate.node === chosen}
            data-out={out}
            data-gone={fellAt !== undefined && fellAt < index}
            data-tip={out ? t.preempting.fell(t.preempting.rules[rule]) : undefined}
          >
            {figureOf(candidate, rule)}
            {out && <Icon name="rejected" size={9} />}
            {out && <span className="visually-hidden">{t.preempting.fell(t.preempting.rules[rule])}</span>}
          </td>
        );
      })}
    </tr>
  );
}

function figureOf(candidate: Candidate, rule: Rule): string {
  const { pdb_violations, highest_priority, sum_priority, victims, latest_start } = candidate;
  const figures: Readonly<Record<Rule, string>> = {
    violations: String(pdb_violations),
    highest: String(highest_priority),
    sum: String(sum_priority),
    count: String(victims.length),
    start: latest_start ? formatTimeOfDay(Date.parse(latest_start) / 1000) : t.preempting.notStarted,
  };
  return figures[rule];
}

function MarkOnBoard({ preemption }: { readonly preemption: PreemptionReport }) {
  const [marked, setMarked] = useState(false);
  useEffect(() => {
    if (!marked) return;
    const overlay = preemptionOverlay(preemption);
    filmOverlay.set(overlay);
    return () => {
      // A film that was begun meanwhile keeps the board.
      if (filmOverlay.get() === overlay) filmOverlay.set(undefined);
    };
  }, [marked, preemption]);
  return (
    <Button
      small
      aria-pressed={marked}
      onClick={() => setMarked(!marked)}
      data-tip={t.preempting.markTip}
      data-testid="mark-victims"
    >
      {t.preempting.mark}
    </Button>
  );
}
