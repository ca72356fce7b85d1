/** The nodes that need the least change, nearest first. */
import { useState } from "react";
import { t } from "../../app/messages";
import { Button } from "../../ui/button";
import { CopyButtons } from "../../ui/copy_buttons";
import { ErrorNote } from "../../ui/error_note";
import { Meaning } from "../../ui/meaning";
import { rejectionsCsv } from "./decision_tables";
import styles from "./inspector.module.css";
import type { WouldFitNow } from "./use_would_fit";
import { NodeNames, Rejections } from "./why_not";
import own from "./why_not.module.css";

/** Ways shown at first. */
const MOST = 3;

interface WhatWouldProps {
  readonly now: WouldFitNow;
  readonly asked: boolean;
  readonly onAsk: () => void;
}

export function WhatWould({ now, asked, onAsk }: WhatWouldProps) {
  const { verdicts, asking, error } = now;
  return (
    <>
      <div className={styles.actions}>
        <Button small icon="refresh" disabled={asking} onClick={onAsk} data-testid="what-would-ask">
          {asking ? t.whyNot.asking : asked ? t.whyNot.wouldAgain : t.whyNot.wouldAsk}
        </Button>
        {verdicts && <CopyVerdicts now={now} />}
      </div>
      {error && <ErrorNote error={error} />}
      {verdicts && <Answer now={now} />}
    </>
  );
}

function CopyVerdicts({ now: { verdicts } }: { readonly now: WouldFitNow }) {
  const rows = [...(verdicts?.values() ?? [])];
  return <CopyButtons csv={() => rejectionsCsv(rows)} json={() => rows} />;
}

function Answer({ now: { verdicts, fitting, groups, extendersNotAsked } }: { readonly now: WouldFitNow }) {
  const [most, setMost] = useState(MOST);
  if (verdicts?.size === 0) return <p className={styles.plain}>{t.whyNot.noNodes}</p>;
  return (
    <>
      {fitting.length > 0 && (
        <p data-testid="what-would-fits">
          <Meaning name="fits" /> {t.whyNot.wouldFits(fitting)}
        </p>
      )}
      {extendersNotAsked.length > 0 && <p className={styles.plain}>{t.extenders.notAsked(extendersNotAsked)}</p>}
      {groups.length > 0 && (
        <p className={styles.plain}>{fitting.length > 0 ? t.whyNot.wouldLeadOthers : t.whyNot.wouldLead}</p>
      )}
      <ol className={own.groups}>
        {groups.slice(0, most).map((group) => (
          <li key={group.nodes[0]} data-testid="what-would-group">
            <p>
              <NodeNames nodes={group.nodes} />
              {group.rejections.length > 1 && <span className={styles.plain}> {t.whyNot.all}</span>}
            </p>
            <Rejections rejections={group.rejections} />
          </li>
        ))}
      </ol>
      {groups.length > most && (
        <Button small look="quiet" onClick={() => setMost(most + MOST * 4)}>
          {t.whyNot.more(groups.length - most)}
        </Button>
      )}
    </>
  );
}
