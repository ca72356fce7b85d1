/** In place of a panel that asks the server about the present, while the page shows the past. */
import { usePast } from "../../app/cluster_context";
import { t } from "../../app/messages";
import { Button } from "../../ui/button";
import { EmptyState } from "../../ui/empty_state";

export function OfThePresent() {
  const past = usePast();
  return (
    <EmptyState title={t.rewind.present}>
      <Button onClick={() => past.goLive()}>{t.rewind.live}</Button>
    </EmptyState>
  );
}
