/** Which events a person asked for. */
import type { EventCard } from "../../model/messages.generated";

export interface EventFilter {
  readonly text: string;
  readonly warningsOnly: boolean;
}

/** Every word must occur somewhere in the event: reason, object, namespace, source or message. */
export function filterEvents(events: readonly EventCard[], filter: EventFilter): readonly EventCard[] {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0 && !filter.warningsOnly) return events;
  return events.filter((event) => {
    if (filter.warningsOnly && event.event_type !== "Warning") return false;
    const text = textOf(event);
    return words.every((word) => text.includes(word));
  });
}

function textOf(event: EventCard): string {
  const { reason, regarding_kind, regarding_name, namespace, source, message } = event;
  return `${reason} ${regarding_kind}/${regarding_name} ${namespace} ${source} ${message}`.toLowerCase();
}
