/** Which question about nodes or pods is open; there is one at a time. */
import type { MarkKind } from "../../interaction/marks";
import type { PodRef } from "../../model/messages.generated";
import { createStore } from "../../model/store";

export type Form =
  | { readonly kind: "mark"; readonly mark: MarkKind; readonly names: readonly string[] }
  | { readonly kind: "group"; readonly label: string; readonly names: readonly string[] }
  | { readonly kind: "drain"; readonly names: readonly string[] }
  | { readonly kind: "delete_nodes"; readonly names: readonly string[] }
  | { readonly kind: "delete_pods"; readonly pods: readonly PodRef[] }
  | { readonly kind: "move"; readonly pods: readonly PodRef[] };

export const form = createStore<Form | undefined>(undefined);

export const openForm = (opened: Form): void => form.set(opened);
export const closeForm = (): void => form.set(undefined);
