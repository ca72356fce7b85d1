export function InspectorPanel() {
  return null;
}
