/** The cluster's breakpoints: what stops its clock; added and removed here. */
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useClusterSlug } from "../../app/cluster_context";
import { t } from "../../app/messages";
import { useAction } from "../../app/use_action";
import { asApiError } from "../../transport/errors";
import {
  type Breakpoint,
  clearBreakpoints,
  createBreakpoint,
  removeBreakpoint,
  type WantedBreakpoint,
} from "../../transport/history_api";
import type { ApiRequest } from "../../transport/rest";
import { Button, IconButton } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { ErrorNote } from "../../ui/error_note";
import { BreakpointForm } from "./breakpoint_form";
import { breakpointText } from "./breakpoint_text";
import styles from "./breakpoints.module.css";
import { breakpointsKey, useBreakpoints } from "./use_breakpoints";

export function BreakpointsDialog({ onClose }: { readonly onClose: () => void }) {
  const slug = useClusterSlug();
  const { data, error } = useBreakpoints();
  const action = useAction();
  const queries = useQueryClient();
  const [added, setAdded] = useState(0);
  const change = async <T,>(asked: ApiRequest<T>) => {
    await action.run(asked);
    await queries.invalidateQueries({ queryKey: breakpointsKey(slug) });
  };
  const add = async (wanted: WantedBreakpoint) => {
    if (await action.run(createBreakpoint(slug, wanted))) setAdded((count) => count + 1);
    await queries.invalidateQueries({ queryKey: breakpointsKey(slug) });
  };
  return (
    <Dialog
      title={t.breakpoints.title}
      onClose={onClose}
      testId="breakpoints"
      wide
      foot={
        <>
          {data && data.length > 1 && (
            <Button acts disabled={action.busy} onClick={() => void change(clearBreakpoints(slug))}>
              {t.breakpoints.clear}
            </Button>
          )}
          <Button onClick={onClose}>{t.close}</Button>
        </>
      }
    >
      <div className={styles.panel}>
        <p className={styles.plain}>{t.breakpoints.lead}</p>
        {error && <ErrorNote error={asApiError(error)} />}
        {data?.length === 0 && <p className={styles.plain}>{t.breakpoints.none}</p>}
        <List breakpoints={data ?? []} onRemove={(id) => void change(removeBreakpoint(slug, id))} />
        <BreakpointForm key={added} busy={action.busy} onAdd={(wanted) => void add(wanted)} />
        {action.error && <ErrorNote error={action.error} onDismiss={action.clear} />}
      </div>
    </Dialog>
  );
}

interface ListProps {
  readonly breakpoints: readonly Breakpoint[];
  readonly onRemove: (id: number) => void;
}

function List({ breakpoints, onRemove }: ListProps) {
  return (
    <ul className={styles.list}>
      {breakpoints.map((one) => (
        <li key={one.id} data-testid="breakpoint">
          <span>
            {t.breakpoints.on} {breakpointText(one)}
          </span>
          <span className={styles.hits}>{t.breakpoints.hits(one.hits)}</span>
          <IconButton
            acts
            small
            icon="trash"
            label={t.breakpoints.remove(breakpointText(one))}
            onClick={() => onRemove(one.id)}
          />
        </li>
      ))}
    </ul>
  );
}
