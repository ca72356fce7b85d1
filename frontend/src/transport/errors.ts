/**
 * What went wrong, in one shape, whichever door said it.
 *
 * `/api/` answers {"error": {code, message, details}}, `/k8s/` a Kubernetes Status, and a server
 * that is not there answers nothing. All three become an `ApiError`, so that a control shows an
 * error the same way wherever it comes from.
 */
export interface ErrorDetail {
  readonly path: string;
  readonly message: string;
  readonly document?: number;
  /** In the text of what was sent, counted from 1. */
  readonly line?: number;
  readonly column?: number;
}

export class ApiError extends Error {
  constructor(
    /** HTTP status; 0 when there was no answer. */
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details: readonly ErrorDetail[] = [],
  ) {
    super(message);
    this.name = "ApiError";
  }

  get isConflict(): boolean {
    return this.status === 409;
  }

  get isUnreachable(): boolean {
    return this.status === 0 || this.status === 502 || this.status === 503 || this.status === 504;
  }
}

type Json = Readonly<Record<string, unknown>>;

const isJson = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value);
const text = (value: unknown): string => (typeof value === "string" ? value : "");

export function errorOfBody(status: number, body: unknown): ApiError {
  if (isJson(body) && isJson(body.error)) return errorOfApi(status, body.error);
  if (isJson(body) && body.kind === "Status") return errorOfStatus(status, body);
  return new ApiError(status, "unexpected", `The server answered ${status} without saying why.`);
}

function errorOfApi(status: number, error: Json): ApiError {
  return new ApiError(status, text(error.code), text(error.message), details(error.details, "path"));
}

function errorOfStatus(status: number, body: Json): ApiError {
  const causes = isJson(body.details) ? body.details.causes : undefined;
  return new ApiError(status, text(body.reason), text(body.message), details(causes, "field"));
}

function details(list: unknown, pathKey: string): ErrorDetail[] {
  if (!Array.isArray(list)) return [];
  return list.filter(isJson).map((item) => ({
    path: text(item[pathKey]),
    message: text(item.message),
    ...numbers(item),
  }));
}

function numbers(item: Json): Pick<ErrorDetail, "document" | "line" | "column"> {
  const known = (["document", "line", "column"] as const).filter((name) => typeof item[name] === "number");
  return Object.fromEntries(known.map((name) => [name, item[name]]));
}

export function unreachable(cause: unknown): ApiError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new ApiError(0, "unreachable", `The server cannot be reached (${why}). Try again once the page is live.`);
}

export const pastIsReadOnly = (): ApiError =>
  new ApiError(0, "read_only", "The page shows the past, which cannot be changed. Return to live, or fork from here.");

/** Nothing was sent: the page does not show the present. */
export function notLive(): ApiError {
  return new ApiError(0, "not_live", "The page is not live: nothing was sent. Try again once it is.");
}

/** Any thrown value as an ApiError: what a catch block shows. */
export function asApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  return new ApiError(0, "unexpected", thrown instanceof Error ? thrown.message : String(thrown));
}
