import { expect, test } from "vitest";
import { pathOf, routeOf } from "./routes";

test.each([
  ["/", { page: "start" }],
  ["/clusters/demo", { page: "cluster", cluster: "demo" }],
  ["/clusters/demo/", { page: "cluster", cluster: "demo" }],
  ["/clusters/", { page: "start" }],
] as const)("%s", (path, route) => {
  expect(routeOf(path)).toEqual(route);
});

test("a route leads back to itself", () => {
  const route = { page: "cluster", cluster: "a b" } as const;
  expect(routeOf(pathOf(route))).toEqual(route);
});
