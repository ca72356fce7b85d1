/** Why a file was not read, in words. */
import { t } from "../../app/messages";
import { MOST_MEBIBYTES, type ReadFile } from "../../ui/read_files";

export function problemText(file: ReadFile): string {
  if (!("problem" in file)) return "";
  return file.problem === "too_large" ? t.drop.tooLarge(file.name, MOST_MEBIBYTES) : t.drop.unread(file.name);
}
