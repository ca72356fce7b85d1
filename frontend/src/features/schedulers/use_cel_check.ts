/** What the server says about a definition, a moment after the last key; with a pod, about every node too. */
import { useEffect, useState } from "react";
import { useClusterSlug } from "../../app/cluster_context";
import { asApiError } from "../../transport/errors";
import { type CelCheck, type CelPluginDefinition, checkCelPlugin, type PodName } from "../../transport/extension_api";
import { send } from "../../transport/rest";

const PAUSE_MS = 350;

export function useCelCheck(plugin: CelPluginDefinition, pod: PodName | undefined): CelCheck | undefined {
  const slug = useClusterSlug();
  const [check, setCheck] = useState<CelCheck>();
  useEffect(() => {
    const leaving = new AbortController();
    const ask = async () => {
      try {
        // While it has no name yet, its expressions can be checked all the same.
        const named = { ...plugin, name: plugin.name || "Unnamed" };
        setCheck(await send(checkCelPlugin(slug, named, pod), leaving.signal));
      } catch (thrown) {
        if (!leaving.signal.aborted) setCheck(refused(asApiError(thrown).message));
      }
    };
    const timer = setTimeout(() => void ask(), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [slug, plugin, pod]);
  return check;
}

/** The pod is gone, or the server: said where problems are said. */
const refused = (message: string): CelCheck => ({ nodes: [], problems: [{ field: "", message, line: 0, column: 0 }] });
