import { expect, it } from "vitest";
import type { ObjectCard } from "../../model/messages.generated";
import { grouped } from "./grouped";

const card = (object_kind: string, name: string, namespace = ""): ObjectCard => ({
  kind: "Object",
  uid: `${object_kind} ${namespace}/${name}`,
  api_version: "v1",
  created_at: "",
  resource_version: 1,
  object_kind,
  name,
  namespace,
});

const OBJECTS = [card("Lease", "b", "kube-system"), card("ConfigMap", "z", "shop"), card("Lease", "a", "kube-system")];

const names = (text: string) =>
  grouped(OBJECTS, text).map(({ kind, objects }) => [kind, ...objects.map(({ name }) => name)]);

it("objects stand by kind and name", () => {
  expect(names("")).toEqual([
    ["ConfigMap", "z"],
    ["Lease", "a", "b"],
  ]);
});

it("every word must occur in the kind, the namespace or the name", () => {
  expect(names("lease SYSTEM/a")).toEqual([["Lease", "a"]]);
  expect(names("shop")).toEqual([["ConfigMap", "z"]]);
  expect(names("shop lease")).toEqual([]);
});
