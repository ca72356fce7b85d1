/** Puts tried weights into the profile: first what would change, then the change. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useClusterSlug } from "../../app/cluster_context";
import { t } from "../../app/messages";
import { useAction } from "../../app/use_action";
import type { Weights } from "../../model/rescore";
import { type Document, withWeights } from "../../model/reweigh";
import type { ProfilesAnswer } from "../../transport/api_types";
import { asApiError } from "../../transport/errors";
import { getConfiguration, putConfigurationDocument } from "../../transport/extension_api";
import { send } from "../../transport/rest";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { ErrorNote } from "../../ui/error_note";
import styles from "./score_table.module.css";

interface UseWeightsProps {
  /** The profile is one of this scheduler's. */
  readonly scheduler: string;
  readonly schedulerName: string;
  /** Those that differ. */
  readonly weights: Weights;
  readonly onClose: () => void;
}

interface Proposal {
  readonly document: Document;
  readonly changes: ProfilesAnswer["changes"];
  /** Columns that are no plugin of the profile. */
  readonly others: readonly string[];
}

export function UseWeights({ scheduler, schedulerName, weights, onClose }: UseWeightsProps) {
  const slug = useClusterSlug();
  const { busy, error: refused, run } = useAction();
  const [applied, setApplied] = useState(false);
  const { data, error } = useQuery({
    queryKey: ["weights", slug, scheduler, schedulerName, weights],
    queryFn: ({ signal }) => propose({ slug, scheduler, schedulerName }, weights, signal),
    gcTime: 0,
    retry: false,
  });
  const apply = async (document: Document) => {
    if (await run(putConfigurationDocument(slug, scheduler, document, false))) setApplied(true);
  };
  return (
    <Dialog
      title={t.rescore.useTitle(schedulerName)}
      onClose={onClose}
      testId="use-weights-dialog"
      foot={
        <>
          <Button onClick={onClose}>{applied ? t.close : t.cancel}</Button>
          {data && !applied && (
            <Button
              look="primary"
              disabled={busy || data.changes.length === 0}
              onClick={() => void apply(data.document)}
              data-testid="apply-weights"
            >
              {t.rescore.apply}
            </Button>
          )}
        </>
      }
    >
      {error && <ErrorNote error={asApiError(error)} />}
      {refused && <ErrorNote error={refused} />}
      {!data && !error && <p>{t.rescore.checking}</p>}
      {data && <Changes proposal={data} />}
      {applied && <p data-testid="weights-applied">{t.rescore.applied}</p>}
    </Dialog>
  );
}

interface ProfilePlace {
  readonly slug: string;
  readonly scheduler: string;
  readonly schedulerName: string;
}

async function propose(
  { slug, scheduler, schedulerName }: ProfilePlace,
  weights: Weights,
  signal: AbortSignal,
): Promise<Proposal> {
  const { document: now, profiles } = await send(getConfiguration(slug, scheduler), signal);
  const known = profiles.find(({ scheduler_name: name }) => name === schedulerName)?.weights ?? {};
  const others = Object.keys(weights).filter((plugin) => !(plugin in known));
  const own = Object.fromEntries(Object.entries(weights).filter(([plugin]) => plugin in known));
  const document = withWeights(now, schedulerName, own);
  const { changes } = await send(putConfigurationDocument(slug, scheduler, document, true), signal);
  return { document, changes, others };
}

function Changes({ proposal: { changes, others } }: { readonly proposal: Proposal }) {
  return (
    <>
      <p>{changes.length > 0 ? t.rescore.useText : t.rescore.noChange}</p>
      {changes.length > 0 && (
        <table className={styles.changes}>
          <thead>
            <tr>
              <th scope="col">{t.rescore.fact}</th>
              <th scope="col">{t.rescore.before}</th>
              <th scope="col">{t.rescore.after}</th>
            </tr>
          </thead>
          <tbody>
            {changes.map(({ path, before, after }) => (
              <tr key={path}>
                <th scope="row">{path}</th>
                <td>{shown(before)}</td>
                <td>{shown(after)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {others.length > 0 && <p>{t.rescore.notInProfile}</p>}
    </>
  );
}

const shown = (value: unknown): string =>
  value === null || value === undefined ? t.rescore.none : typeof value === "string" ? value : JSON.stringify(value);
