/** Two addresses: `/` is the start page, `/clusters/<slug>` a cluster. */
import { createStore } from "../model/store";

export type Route = { readonly page: "start" } | { readonly page: "cluster"; readonly cluster: string };

export function routeOf(path: string): Route {
  const match = /^\/clusters\/([^/]+)\/?$/.exec(path);
  return match?.[1] ? { page: "cluster", cluster: decodeURIComponent(match[1]) } : { page: "start" };
}

export const pathOf = (route: Route): string =>
  route.page === "start" ? "/" : `/clusters/${encodeURIComponent(route.cluster)}`;

export const route = createStore<Route>(routeOf(window.location.pathname));

window.addEventListener("popstate", () => route.set(routeOf(window.location.pathname)));

export function navigate(to: Route): void {
  window.history.pushState(null, "", pathOf(to));
  route.set(to);
}
