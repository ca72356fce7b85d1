/**
 * A FailedScheduling message in the width of a ticket: its largest reason.
 *
 * "0/4 nodes are available: 3 Insufficient cpu, 1 node(s) had untolerated taint {...}. preemption: ..."
 * becomes "3 Insufficient cpu". The whole message is in the tooltip and the inspector.
 */
export function shortReason(message: string): string {
  const list = /nodes are available: (.*?)(?:\. |\.$|$)/.exec(message)?.[1];
  if (!list) return message;
  const reasons = list.split(/, (?=\d+ )/).map((text) => ({ text, count: Number.parseInt(text, 10) || 0 }));
  return reasons.reduce((most, one) => (one.count > most.count ? one : most)).text;
}
