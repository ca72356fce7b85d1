import type { ComponentProps } from "react";
import { useIsHeld } from "./acting";
import styles from "./button.module.css";
import { classNames } from "./class_names";
import { Icon, type IconName } from "./icons";

export interface ButtonProps extends ComponentProps<"button"> {
  readonly look?: "plain" | "primary" | "danger" | "quiet";
  readonly small?: boolean;
  readonly icon?: IconName;
  /** It changes the cluster: disabled while the page is not live. */
  readonly acts?: boolean;
}

export function Button({
  look = "plain",
  small = false,
  icon,
  acts = false,
  disabled,
  className,
  children,
  ...rest
}: ButtonProps) {
  const held = useIsHeld(acts);
  const names = [styles.button, look !== "plain" && styles[look], small && styles.small, className];
  return (
    <button type="button" className={classNames(...names)} disabled={disabled || held} {...rest}>
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

export interface IconButtonProps extends Omit<ComponentProps<"button">, "children"> {
  readonly icon: IconName;
  /** What it does: its accessible name and its tooltip. */
  readonly label: string;
  readonly shortcut?: string;
  readonly look?: "plain" | "quiet" | "danger";
  readonly small?: boolean;
  readonly acts?: boolean;
}

export function IconButton({
  icon,
  label,
  shortcut,
  look = "quiet",
  small = false,
  acts = false,
  disabled,
  className,
  ...rest
}: IconButtonProps) {
  const held = useIsHeld(acts);
  const names = [styles.button, styles.icon, look !== "plain" && styles[look], small && styles.small, className];
  return (
    <button
      type="button"
      className={classNames(...names)}
      aria-label={label}
      aria-keyshortcuts={shortcut}
      data-tip={shortcut ? `${label}\t${shortcut}` : label}
      disabled={disabled || held}
      {...rest}
    >
      <Icon name={icon} size={small ? 13 : 15} />
    </button>
  );
}
