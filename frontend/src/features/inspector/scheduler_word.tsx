/**
 * The name of an extension point or a plugin: explained on hover and focus, a link to Kubernetes' own page.
 */
import { Fragment } from "react";
import { t } from "../../app/messages";
import { pageOfPlugin, pageOfPoint } from "../../model/kubernetes_pages";
import { own } from "../../model/own";
import styles from "./scheduler_word.module.css";

interface WordProps {
  readonly href: string | undefined;
  readonly tip: string;
  readonly children: React.ReactNode;
}

/** Without a page it is not a link, and still explained. */
function Word({ href, tip, children }: WordProps) {
  if (!href) return <span data-tip={tip}>{children}</span>;
  return (
    <a className={styles.word} href={href} target="_blank" rel="noreferrer" data-tip={tip}>
      {children}
    </a>
  );
}

interface PointWordProps {
  /** As the configuration writes it: preFilter. */
  readonly point: string;
}

export function PointWord({ point }: PointWordProps) {
  return (
    <Word href={pageOfPoint(point)} tip={explainPoint(point)}>
      {pointName(point)}
    </Word>
  );
}

interface PluginWordProps {
  readonly name: string;
  /** More lines for the tooltip. */
  readonly more?: string;
}

export function PluginWord({ name, more = "" }: PluginWordProps) {
  const explained = explainPlugin(name);
  return (
    <Word href={pageOfPlugin(name, explained !== "")} tip={[name, explained, more].filter(Boolean).join("\n")}>
      <Breakable name={name} />
    </Word>
  );
}

/** `preFilter` as the documentation writes it: `PreFilter`. */
export const pointName = (point: string): string => point.charAt(0).toUpperCase() + point.slice(1);

export const explainPoint = (point: string): string => own<string>(t.points, point) ?? "";
export const explainPlugin = (plugin: string): string => own<string>(t.plugins, plugin) ?? "";

/** May be broken between its words, so that figures beside it get the room. */
export function Breakable({ name }: { readonly name: string }) {
  const [first, ...others] = name.split(/(?<=[a-z])(?=[A-Z])/);
  return (
    <>
      {first}
      {others.map((word) => (
        <Fragment key={word}>
          <wbr />
          {word}
        </Fragment>
      ))}
    </>
  );
}
