/** What a definition says about every node as the cluster stands, for one pod. */
import { useMemo } from "react";
import { useCluster } from "../../app/cluster_context";
import { t } from "../../app/messages";
import type { PodCard } from "../../model/messages.generated";
import type { ClusterState } from "../../model/state";
import type { CelCheck, CelNodePreview, CelPluginDefinition, PodName } from "../../transport/extension_api";
import { Icon } from "../../ui/icons";
import styles from "./schedulers.module.css";

const MOST_PODS = 200;
const MOST_NODES = 100;

interface CelPreviewProps {
  readonly check: CelCheck | undefined;
  readonly plugin: CelPluginDefinition;
  readonly pod: PodName | undefined;
  readonly onPod: (pod: PodName | undefined) => void;
}

export function CelPreview({ check, plugin, pod, onPod }: CelPreviewProps) {
  const nodes = check?.nodes ?? [];
  return (
    <div className={styles.form}>
      <PodChoice pod={pod} onPod={onPod} />
      {!pod && <p className={styles.quiet}>{t.cel.anyPod}</p>}
      {nodes.length > 0 && (
        <table className={styles.changes} data-testid="cel-preview">
          <thead>
            <tr>
              <th scope="col">{t.cel.node}</th>
              {plugin.filter && <th scope="col">{t.cel.fits}</th>}
              {plugin.score && <th scope="col">{t.cel.scoreColumn}</th>}
            </tr>
          </thead>
          <tbody>
            {nodes.slice(0, MOST_NODES).map((node) => (
              <NodeRow key={node.node} node={node} plugin={plugin} />
            ))}
          </tbody>
        </table>
      )}
      {nodes.length > MOST_NODES && <p className={styles.quiet}>{t.cel.more(nodes.length - MOST_NODES)}</p>}
    </div>
  );
}

function NodeRow({ node, plugin }: { readonly node: CelNodePreview; readonly plugin: CelPluginDefinition }) {
  const failed = (field: string) => node.failures.find((failure) => failure.field === field)?.message;
  return (
    <tr data-testid="cel-node" data-node={node.node}>
      <th scope="row">{node.node}</th>
      {plugin.filter && <td>{failed("filter") ?? <Fits fits={node.fits} />}</td>}
      {plugin.score && <td className="num">{failed("score") ?? node.score}</td>}
    </tr>
  );
}

function Fits({ fits }: { readonly fits: boolean | null }) {
  if (fits === null) return null;
  return (
    <span className={fits ? styles.added : styles.rejects}>
      <Icon name={fits ? "fits" : "rejected"} size={11} /> {fits ? t.cel.passes : t.cel.rejects}
    </span>
  );
}

const selectPods = (state: ClusterState) => state.pods;

function PodChoice({ pod, onPod }: Pick<CelPreviewProps, "pod" | "onPod">) {
  const pods = useCluster(selectPods);
  const some = useMemo(() => choices([...pods.values()]), [pods]);
  const value = pod ? keyOf(pod) : "";
  return (
    <label className={styles.choose}>
      {t.cel.preview}
      <select
        value={value}
        onChange={(event) => onPod(some.find((one) => keyOf(one) === event.target.value))}
        data-testid="cel-pod"
      >
        <option value="">{t.cel.noPod}</option>
        {some.map((one) => (
          <option key={one.uid} value={keyOf(one)}>
            {keyOf(one)}
          </option>
        ))}
      </select>
    </label>
  );
}

const keyOf = ({ namespace, name }: PodName): string => `${namespace}/${name}`;

/** Those that wait first: it is about them that one asks. */
function choices(pods: readonly PodCard[]): readonly PodCard[] {
  const waiting = pods.filter(({ node_name: node }) => node === "");
  return [...waiting, ...pods.filter(({ node_name: node }) => node !== "")].slice(0, MOST_PODS);
}
