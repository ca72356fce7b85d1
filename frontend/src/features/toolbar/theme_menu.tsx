/** Light, dark, or as the system. */
import { t } from "../../app/messages";
import { prefer, preferences } from "../../app/preferences";
import { useStore } from "../../app/use_store";
import { Icon, type IconName } from "../../ui/icons";
import { Menu } from "../../ui/menu";
import styles from "./top_bar.module.css";

const THEME_ICONS = { system: "system", light: "sun", dark: "moon" } as const satisfies Record<string, IconName>;
const THEMES = ["system", "light", "dark"] as const;

export function ThemeMenu() {
  const { theme } = useStore(preferences);
  return (
    <Menu
      label={t.topBar.theme}
      buttonClassName={styles.themes}
      testId="theme"
      items={THEMES.map((one) => ({
        id: `theme-${one}`,
        label: t.topBar.themes[one],
        icon: THEME_ICONS[one],
        checked: one === theme,
        run: () => prefer({ theme: one }),
      }))}
    >
      <Icon name={THEME_ICONS[theme]} size={15} />
    </Menu>
  );
}
