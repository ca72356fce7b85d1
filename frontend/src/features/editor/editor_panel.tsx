export function EditorPanel() {
  return null;
}
