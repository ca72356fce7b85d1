/**
 * Requests as values.
 *
 * An action is described first (`ApiRequest`) and sent second (`send`), so that the page can show
 * any action as its HTTP line before, after or instead of doing it.
 */
import { createStore } from "../model/store";
import { ApiError, errorOfBody, notLive, pastIsReadOnly, unreachable } from "./errors";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface ApiRequest<T> {
  readonly method: Method;
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string;
  /** Also sent from a page that shows the past: it changes nothing of what is shown. */
  readonly inPast?: boolean;
  /** Only for the type of the answer. */
  readonly answer?: T;
}

/** True while the page shows a cluster's past: only reads are sent. */
export const readOnly = createStore(false);

/** How far the server's wall clock is ahead of ours, in seconds, from its Date header. */
export const clockSkew = createStore(0);

/**
 * True while the page shows a cluster as it was and not as it is. Whatever would change it is
 * refused here, so that nobody acts on what is no longer so.
 */
export const changesHeld = createStore(false);

export const request = <T>(method: Method, path: string, body?: unknown, contentType?: string): ApiRequest<T> => ({
  method,
  path,
  ...(body === undefined ? {} : { body }),
  ...(contentType === undefined ? {} : { contentType }),
});

/** `POST /k8s/demo/api/v1/namespaces/default/pods` and the body as JSON below it. */
export function httpLine(asked: ApiRequest<unknown>): string {
  const line = `${asked.method} ${asked.path}`;
  return asked.body === undefined ? line : `${line}\n${JSON.stringify(asked.body, null, 2)}`;
}

export async function send<T>(asked: ApiRequest<T>, signal?: AbortSignal): Promise<T> {
  if (readOnly.get() && asked.method !== "GET" && !asked.inPast) throw pastIsReadOnly();
  if (asked.method !== "GET" && changesHeld.get()) throw notLive();
  const response = await answerTo(asked, signal);
  noteSkew(response);
  const body = await bodyOf(response);
  if (!response.ok) throw errorOfBody(response.status, body);
  return body as T;
}

async function answerTo(asked: ApiRequest<unknown>, signal?: AbortSignal): Promise<Response> {
  const isText = typeof asked.body === "string";
  try {
    return await fetch(asked.path, {
      method: asked.method,
      headers: {
        Accept: "application/json",
        ...(asked.body === undefined ? {} : { "Content-Type": asked.contentType ?? "application/json" }),
      },
      ...(asked.body === undefined ? {} : { body: isText ? (asked.body as string) : JSON.stringify(asked.body) }),
      ...(signal ? { signal } : {}),
    });
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === "AbortError") throw cause;
    throw unreachable(cause);
  }
}

async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text();
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    if (response.ok) throw new ApiError(response.status, "unexpected", "The server's answer is not JSON.");
    return undefined;
  }
}

/** The header has whole seconds: smaller differences are noise. */
function noteSkew(response: Response): void {
  const date = Date.parse(response.headers.get("Date") ?? "");
  if (Number.isNaN(date)) return;
  const skew = (date - Date.now()) / 1000;
  clockSkew.set(Math.abs(skew) > 2 ? Math.round(skew) : 0);
}
