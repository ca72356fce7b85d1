/** CodeMirror as a controlled component, with the lines of errors marked. */
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { bracketMatching, foldGutter, HighlightStyle, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, lintGutter, setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { useEffect, useRef } from "react";
import styles from "./editor.module.css";

export interface LineProblem {
  /** 1 for the first line. */
  readonly line: number;
  readonly message: string;
}

interface YamlViewProps {
  readonly text: string;
  readonly label: string;
  readonly problems: readonly LineProblem[];
  readonly onChange: (text: string) => void;
  /** Ctrl-Enter or Cmd-Enter. */
  readonly onSubmit: () => void;
}

const COLOURS = HighlightStyle.define([
  { tag: tags.propertyName, color: "var(--accent)" },
  { tag: [tags.string, tags.content], color: "var(--text)" },
  { tag: [tags.comment, tags.meta, tags.punctuation, tags.separator], color: "var(--muted)" },
  { tag: [tags.keyword, tags.atom, tags.labelName], color: "var(--m-nominated)" },
]);

export function YamlView({ text, label, problems, onChange, onSubmit }: YamlViewProps) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const latest = useRef({ onChange, onSubmit });
  latest.current = { onChange, onSubmit };

  useEffect(() => {
    if (!place.current) return;
    view.current = new EditorView({
      parent: place.current,
      state: EditorState.create({ extensions: extensions(label, latest.current, () => latest.current) }),
    });
    return () => view.current?.destroy();
  }, [label]);

  useEffect(() => {
    const editor = view.current;
    if (!editor || editor.state.doc.toString() === text) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } });
  }, [text]);

  useEffect(() => {
    const editor = view.current;
    if (!editor) return;
    editor.dispatch(setDiagnostics(editor.state, diagnosticsOf(editor.state, problems)));
    const first = problems[0];
    if (first) editor.dispatch({ effects: EditorView.scrollIntoView(positionOf(editor.state, first.line)) });
  }, [problems]);

  return <div ref={place} className={styles.code} data-testid="yaml" />;
}

type Handlers = Pick<YamlViewProps, "onChange" | "onSubmit">;

function extensions(label: string, _first: Handlers, handlers: () => Handlers) {
  const submit = () => {
    handlers().onSubmit();
    return true;
  };
  return [
    lineNumbers(),
    foldGutter(),
    lintGutter(),
    history(),
    indentOnInput(),
    bracketMatching(),
    highlightActiveLine(),
    yaml(),
    syntaxHighlighting(COLOURS),
    EditorView.contentAttributes.of({ "aria-label": label }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) handlers().onChange(update.state.doc.toString());
    }),
    // Escape, then Tab, leaves the editor by keyboard.
    keymap.of([{ key: "Mod-Enter", run: submit }, indentWithTab, ...defaultKeymap, ...historyKeymap]),
  ];
}

const positionOf = (state: EditorState, line: number): number =>
  state.doc.line(Math.min(Math.max(1, line), state.doc.lines)).from;

function diagnosticsOf(state: EditorState, problems: readonly LineProblem[]): Diagnostic[] {
  return problems.map(({ line, message }) => {
    const { from, to } = state.doc.line(Math.min(Math.max(1, line), state.doc.lines));
    return { from, to, severity: "error", message };
  });
}
