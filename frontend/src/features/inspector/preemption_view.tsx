/** What preemption found: the nodes where room could be made, who would go, and what chose one. */
import { t } from "../../app/messages.en";
import type { Candidate, PodRef, PreemptionReport } from "../../model/messages.generated";
import { Meaning } from "../../ui/meaning";
import styles from "./inspector.module.css";
import { NodeLink } from "./links";
import { Section } from "./section";
import { StatusWord } from "./status_word";

export function PreemptionView({ preemption }: { readonly preemption: PreemptionReport }) {
  const { status, node, candidates, decided_by: rule } = preemption;
  return (
    <Section title={t.inspector.preemption} note={t.inspector.candidates(candidates.length)} testId="preemption">
      <p>
        {node ? (
          <>
            <Meaning name="nominated" /> <NodeLink name={node} />
          </>
        ) : (
          <StatusWord status={status} />
        )}
      </p>
      {rule && <p className={styles.plain}>{t.inspector.decidedBy(rule)}</p>}
      {candidates.length > 0 && (
        <section className={styles.scroll} aria-label={t.inspector.candidatesLabel}>
          <table className={styles.scores}>
            <thead>
              <tr>
                <th scope="col">{t.inspector.node}</th>
                <th scope="col">{t.inspector.victims}</th>
                <th scope="col" className="num">
                  {t.inspector.budgets}
                </th>
                <th scope="col" className="num">
                  {t.inspector.highestPriority}
                </th>
              </tr>
            </thead>
            <tbody>
              {candidates.map((candidate) => (
                <CandidateRow key={candidate.node} candidate={candidate} chosen={candidate.node === node} />
              ))}
            </tbody>
          </table>
        </section>
      )}
    </Section>
  );
}

function CandidateRow({ candidate, chosen }: { readonly candidate: Candidate; readonly chosen: boolean }) {
  return (
    <tr data-chosen={chosen}>
      <th scope="row">
        <NodeLink name={candidate.node} />
      </th>
      <td>
        {candidate.victims.map((victim) => (
          <Victim key={victim.uid} victim={victim} />
        ))}
      </td>
      <td className="num">{candidate.pdb_violations}</td>
      <td className="num">{candidate.highest_priority}</td>
    </tr>
  );
}

const Victim = ({ victim }: { readonly victim: PodRef }) => (
  <div>
    <Meaning name="victim" word={`${victim.namespace}/${victim.name}`} />
  </div>
);
