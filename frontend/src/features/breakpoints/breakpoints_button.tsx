/** Opens the list of breakpoints and says how many there are. */
import { useState } from "react";
import { t } from "../../app/messages";
import { Button } from "../../ui/button";
import { BreakpointsDialog } from "./breakpoints_dialog";
import { useBreakpoints } from "./use_breakpoints";

export function BreakpointsButton() {
  const { data = [] } = useBreakpoints();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        look="quiet"
        icon="breakpoint"
        aria-label={t.breakpoints.open(data.length)}
        data-tip={t.breakpoints.open(data.length)}
        data-testid="open-breakpoints"
        onClick={() => setOpen(true)}
      >
        {data.length > 0 && <b className="num">{data.length}</b>}
      </Button>
      {open && <BreakpointsDialog onClose={() => setOpen(false)} />}
    </>
  );
}
