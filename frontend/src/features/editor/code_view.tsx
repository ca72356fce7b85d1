/**
 * CodeMirror as a controlled component, with problems marked where they are.
 *
 * `problems` are answers to what was sent: the first of them is brought into view. `hints` come and
 * go while a person writes, and never move the text. What language it is, `extensions` say.
 */
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, indentOnInput } from "@codemirror/language";
import { type Diagnostic, lintGutter, setDiagnostics } from "@codemirror/lint";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { useEffect, useRef } from "react";
import styles from "./editor.module.css";

export interface LineProblem {
  /** 1 for the first line. */
  readonly line: number;
  /** 1 for the first character; without one it is about the whole line. */
  readonly column?: number | undefined;
  readonly message: string;
  /** Nothing is wrong, but something may be. */
  readonly isWarning?: boolean;
}

export interface CodeViewProps {
  readonly text: string;
  readonly label: string;
  readonly problems: readonly LineProblem[];
  readonly hints?: readonly LineProblem[];
  /** Read when the editor is made. */
  readonly extensions?: Extension;
  readonly onChange: (text: string) => void;
  /** Ctrl-Enter or Cmd-Enter. */
  readonly onSubmit: () => void;
  readonly testId?: string;
}

const NONE: readonly LineProblem[] = [];

export function CodeView({
  text,
  label,
  problems,
  hints = NONE,
  extensions = [],
  onChange,
  onSubmit,
  testId = "yaml",
}: CodeViewProps) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const latest = useRef({ text, onChange, onSubmit });
  latest.current = { text, onChange, onSubmit };
  const language = useRef(extensions);

  useEffect(() => {
    if (!place.current) return;
    view.current = new EditorView({
      parent: place.current,
      state: EditorState.create({ extensions: [language.current, basics(label, () => latest.current)] }),
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
    if (editor) editor.dispatch(setDiagnostics(editor.state, diagnosticsOf(editor.state, [...problems, ...hints])));
  }, [problems, hints]);

  useEffect(() => {
    const editor = view.current;
    const first = problems[0];
    if (!editor || !first) return;
    editor.dispatch({ effects: EditorView.scrollIntoView(lineAt(editor.state, first.line).from) });
  }, [problems]);

  return <div ref={place} className={styles.code} data-testid={testId} />;
}

type Handlers = Pick<CodeViewProps, "text" | "onChange" | "onSubmit">;

function basics(label: string, handlers: () => Handlers): Extension {
  const submit = () => {
    handlers().onSubmit();
    return true;
  };
  return [
    lineNumbers(),
    lintGutter(),
    history(),
    indentOnInput(),
    bracketMatching(),
    highlightActiveLine(),
    EditorView.contentAttributes.of({ "aria-label": label }),
    EditorView.updateListener.of((update) => {
      if (!update.docChanged) return;
      const { text, onChange } = handlers();
      const now = update.state.doc.toString();
      // What the page itself put there is no news.
      if (now !== text) onChange(now);
    }),
    // Escape, then Tab, leaves the editor by keyboard.
    keymap.of([{ key: "Mod-Enter", run: submit }, indentWithTab, ...defaultKeymap, ...historyKeymap]),
  ];
}

const lineAt = (state: EditorState, line: number) => state.doc.line(Math.min(Math.max(1, line), state.doc.lines));

function diagnosticsOf(state: EditorState, problems: readonly LineProblem[]): Diagnostic[] {
  return problems.map(({ line, column, message, isWarning = false }) => {
    const { from, to } = lineAt(state, line);
    const start = column === undefined ? from : Math.min(from + Math.max(0, column - 1), to);
    return { from: start, to: Math.max(start, to), severity: isWarning ? "warning" : "error", message };
  });
}
