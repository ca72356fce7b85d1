/** Hints about a text, a moment after the last key. */
import { useEffect, useState } from "react";
import { t } from "../../app/messages";
import type { LineProblem } from "./code_view";
import { hintsOf } from "./hints";
import type { YamlHelp } from "./yaml_help";

const PAUSE_MS = 300;
const NONE: readonly LineProblem[] = [];

export function useHints(text: string, help: YamlHelp): readonly LineProblem[] {
  const [hints, setHints] = useState(NONE);
  useEffect(() => {
    let isNewest = true;
    const timer = setTimeout(async () => {
      const found = await hintsOf(text, help, t.editor.unknownField);
      if (isNewest) setHints(found.length > 0 ? found : NONE);
    }, PAUSE_MS);
    return () => {
      isNewest = false;
      clearTimeout(timer);
    };
  }, [text, help]);
  return hints;
}
