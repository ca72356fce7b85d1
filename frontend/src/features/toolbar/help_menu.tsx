/** Where to find out more: shortcuts, the tour, the REST API. */
import { t } from "../../app/messages";
import { Icon } from "../../ui/icons";
import { Menu } from "../../ui/menu";
import { startTour } from "../tour/tour_store";
import styles from "./top_bar.module.css";

export function HelpMenu({ onShortcuts }: { readonly onShortcuts: () => void }) {
  return (
    <Menu
      label={t.help.menu}
      buttonClassName={styles.themes}
      testId="help"
      items={[
        { id: "shortcuts", label: t.help.shortcuts, icon: "keyboard", shortcut: "?", run: onShortcuts },
        { id: "tour", label: t.help.tour, icon: "play", run: startTour },
        { id: "api", label: t.help.api, icon: "external", run: openApi },
      ]}
    >
      <Icon name="info" size={15} />
    </Menu>
  );
}

const openApi = (): void => {
  window.open("/api/docs/", "_blank", "noreferrer");
};
