/** A breakpoint in words. */
import { t } from "../../app/messages";
import type { Breakpoint, WantedBreakpoint } from "../../transport/history_api";

export function breakpointText(one: Breakpoint | WantedBreakpoint): string {
  const pod = podPattern(one);
  const says = t.breakpoints.says;
  switch (one.on) {
    case "pod":
      return says.pod(pod);
    case "plugin":
      return says.plugin(one.plugin ?? "", one.point ?? "", one.when ?? "rejects") + (pod && says.of(pod));
    default:
      return says[one.on] + (pod && says.of(pod));
  }
}

/** `shop/web-*`, `web-*`, `shop/*`; "" for all. */
function podPattern({ namespace = "", name = "" }: Breakpoint | WantedBreakpoint): string {
  if (!namespace) return name;
  return `${namespace}/${name || "*"}`;
}
