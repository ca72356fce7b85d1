/**
 * The YAML panel: new manifests that are applied, or one object that is read, edited and saved.
 *
 * It is loaded when it is first opened, because the code editor is most of the page's script.
 */
import { useSelected } from "../../app/use_store";
import { workbench } from "../../app/workbench";
import { ApplyEditor } from "./apply_editor";
import { ObjectEditor } from "./object_editor";

export function EditorPanel() {
  const target = useSelected(workbench, (bench) => bench.editor);
  if (target.kind === "new") return <ApplyEditor key={target.yaml} initial={target.yaml} applied={target.applied} />;
  const { resource, namespace, name } = target;
  return <ObjectEditor key={`${resource.plural} ${namespace}/${name}`} target={target} />;
}
