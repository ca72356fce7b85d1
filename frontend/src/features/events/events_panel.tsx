export function EventsPanel() {
  return null;
}
