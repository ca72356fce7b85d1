/**
 * Files dropped on a cluster's page: manifests are applied to it, and shown in the editor with what
 * became of each; a kind file, which describes a cluster of its own, makes a new one.
 */
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { t } from "../../app/messages";
import { navigate } from "../../app/routes";
import { useAction } from "../../app/use_action";
import { openEditor } from "../../app/workbench";
import { createCluster } from "../../transport/api";
import { ApiError } from "../../transport/errors";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { DropOverlay } from "../../ui/drop_overlay";
import { ErrorNote } from "../../ui/error_note";
import { readFile, streamOf } from "../../ui/read_files";
import { useFileDrop } from "../../ui/use_file_drop";
import { freeName, isKindFile, nameInKindFile, nameOf } from "../clusters/cluster_name";
import { clustersQuery } from "../clusters/queries";
import { problemText } from "./file_problem";

interface KindFile {
  readonly name: string;
  readonly text: string;
}

export function DroppedFiles() {
  const [kindFile, setKindFile] = useState<KindFile>();
  const [problem, setProblem] = useState<string>();
  const take = async (files: readonly File[]) => {
    const read = await Promise.all(files.map(readFile));
    const failed = read.find((file) => "problem" in file);
    if (failed) return setProblem(problemText(failed));
    const texts = read.filter((file): file is KindFile => "text" in file);
    const only = texts.length === 1 ? texts[0] : undefined;
    if (only && isKindFile(only.text)) setKindFile(only);
    else openEditor({ kind: "new", yaml: streamOf(texts), applied: true });
  };
  const over = useFileDrop((files) => void take(files));
  return (
    <>
      {over && <DropOverlay title={t.drop.apply} hint={t.drop.hint} />}
      {kindFile && <KindFileDialog file={kindFile} onClose={() => setKindFile(undefined)} />}
      {problem && (
        <Dialog title={t.editor.open} onClose={() => setProblem(undefined)} testId="dropped-problem">
          <ErrorNote error={new ApiError(0, "file", problem)} />
        </Dialog>
      )}
    </>
  );
}

function KindFileDialog({ file, onClose }: { readonly file: KindFile; readonly onClose: () => void }) {
  const queries = useQueryClient();
  const { busy, error, run } = useAction();
  const create = async () => {
    const clusters = await queries.fetchQuery(clustersQuery);
    const name = freeName(nameOf(nameInKindFile(file.text) ?? file.name), new Set(clusters.map(({ id }) => id)));
    const made = await run(createCluster({ name, kind_config: file.text }));
    if (!made) return;
    onClose();
    navigate({ page: "cluster", cluster: made.id });
  };
  return (
    <Dialog
      title={t.drop.kindTitle}
      onClose={onClose}
      testId="kind-file-dropped"
      foot={
        <>
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button look="primary" disabled={busy} onClick={() => void create()}>
            {t.drop.kindConfirm}
          </Button>
        </>
      }
    >
      <p>{t.drop.kindText}</p>
      {error && <ErrorNote error={error} />}
    </Dialog>
  );
}
