/**
 * Files held over the page, and dropped on it.
 *
 * Nobody has to aim: the whole page takes the drop, before any control in it does.
 */
import { useEffect, useRef, useState } from "react";

const holdsFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") ?? false;

/** True while files are held over the page; a drop gives them to `onFiles`. */
export function useFileDrop(onFiles: (files: readonly File[]) => void): boolean {
  const [over, setOver] = useState(false);
  // The listeners stay; what they call is always of the last rendering.
  const latest = useRef(onFiles);
  latest.current = onFiles;
  useEffect(() => {
    const hover = (event: DragEvent) => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent) => {
      setOver(false);
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length === 0) return;
      event.preventDefault();
      // The page has the file; an editor under the pointer would insert it a second time.
      event.stopPropagation();
      latest.current(files);
    };
    document.addEventListener("dragover", hover, true);
    document.addEventListener("dragleave", leave, true);
    document.addEventListener("drop", drop, true);
    return () => {
      document.removeEventListener("dragover", hover, true);
      document.removeEventListener("dragleave", leave, true);
      document.removeEventListener("drop", drop, true);
    };
  }, []);
  return over;
}
