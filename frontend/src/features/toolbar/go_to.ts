/** Where keys lead the focus: a board full of pods lies between the palette and the inspector. */
import { prefer } from "../../app/preferences";
import { openLeftTab, openRightTab } from "../../app/workbench";

/** The first pod template, from where Enter makes a pod and Space picks one up. */
export function goToPalette(): void {
  prefer({ leftOpen: true });
  openLeftTab("palette");
  focusSoon("[data-template-kind=Pod]");
}

/** What is selected: from here Tab goes through its attempts, and the arrow keys scroll. */
export function goToInspector(): void {
  prefer({ rightOpen: true });
  openRightTab("inspector");
  focusSoon("[data-testid=panel-right] [role=tabpanel]");
}

/** Once what was opened is there. */
function focusSoon(selector: string): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(selector)?.focus());
}
