export function WorkloadsPanel() {
  return null;
}
