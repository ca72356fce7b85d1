/** A manifest as YAML for the editor, as kubectl prints it; managedFields, the server's own notes, are left out. */
import { stringify } from "yaml";

export function yamlOf(manifest: unknown): string {
  const withoutNotes = (key: unknown, value: unknown) => (key === "managedFields" ? undefined : value);
  return stringify(manifest, withoutNotes, {
    // Kubernetes reads YAML 1.1, where `on` is a boolean: such strings are quoted.
    version: "1.1",
    indentSeq: false,
    lineWidth: 0,
    aliasDuplicateObjects: false,
  });
}
