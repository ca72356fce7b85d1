/** Any other object: it exists, its manifest is one request away. */
import { t } from "../../app/messages.en";
import type { ObjectCard } from "../../model/messages.generated";
import styles from "./inspector.module.css";
import { ObjectEvents } from "./object_events";
import { Facts } from "./section";

export function ObjectInspector({ object }: { readonly object: ObjectCard }) {
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
      </header>
      <ObjectEvents uid={object.uid} />
    </>
  );
}
