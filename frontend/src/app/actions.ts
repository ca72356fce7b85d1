/** Actions with a keyboard shortcut: one list, so that menus, the help and the keyboard agree. */
import { useEffect } from "react";

export interface KeyAction {
  readonly id: string;
  readonly label: string;
  /** As KeyboardEvent.key has it; " " is shown as Space. */
  readonly key: string;
  readonly run: () => void;
}

export const shownKey = (key: string): string => (key === " " ? "Space" : key);

/** True where a key is text or presses a control, so that a shortcut must not take it. */
export function takesKey(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target.closest("input, textarea, select, dialog, [role=menu]")) return true;
  return key === " " && target.closest("button, a, summary, [role=button], [role=tab], [role=separator]") !== null;
}

export function useKeyActions(actions: readonly KeyAction[]): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
      if (takesKey(event.target, event.key)) return;
      const action = actions.find(({ key }) => key === event.key);
      if (!action) return;
      event.preventDefault();
      action.run();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [actions]);
}
