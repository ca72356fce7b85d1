/** The details of a refused request at the lines of the text that was sent. */
import type { ApiError } from "../../transport/errors";
import { readStream } from "./documents";
import type { LineProblem } from "./yaml_view";

export function errorsAtLines(text: string, error: ApiError): readonly LineProblem[] {
  const stream = readStream(text);
  return error.details.map(({ document = 1, path, message, line, column }) => ({
    line: line ?? stream.lineOf(document, path),
    column,
    message: `${path} ${message}`.trim(),
  }));
}
