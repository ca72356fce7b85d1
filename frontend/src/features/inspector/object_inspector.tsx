/** Any other object: it exists, its manifest is one click away. */
import { t } from "../../app/messages";
import { openEditor } from "../../app/workbench";
import type { ObjectCard } from "../../model/messages.generated";
import { Button } from "../../ui/button";
import { useResource } from "../objects/kinds";
import styles from "./inspector.module.css";
import { ObjectEvents } from "./object_events";
import { Facts } from "./section";

export function ObjectInspector({ object }: { readonly object: ObjectCard }) {
  const resource = useResource(object.object_kind);
  const { namespace, name } = object;
  return (
    <>
      <header className={styles.head}>
        <div className={styles.title}>
          <h2>{object.name}</h2>
          <span className={styles.status}>{object.object_kind}</span>
        </div>
        <Facts
          facts={[
            { name: "apiVersion", value: object.api_version },
            object.namespace !== "" && { name: t.inspector.namespace, value: object.namespace },
          ]}
        />
        {resource && (
          <div className={styles.actions}>
            <Button
              small
              icon="edit"
              onClick={() => openEditor({ kind: "object", resource, namespace, name })}
              data-testid="edit-object"
            >
              {t.inspector.yaml}
            </Button>
          </div>
        )}
      </header>
      <ObjectEvents uid={object.uid} />
    </>
  );
}
