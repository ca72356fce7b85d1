import { expect, it } from "vitest";
import { placeAt } from "../../model/yaml_place";
import type { KindCard } from "../../transport/extension_api";
import { optionsOf } from "./yaml_completion";
import type { YamlHelp } from "./yaml_help";

const kind = (name: string, api_version: string): KindCard => ({
  kind: name,
  api_version,
  plural: `${name.toLowerCase()}s`,
  namespaced: true,
});

const HELP: YamlHelp = {
  kinds: async () => [kind("Pod", "v1"), kind("Node", "v1"), kind("Deployment", "apps/v1")],
  outlineOf: async () => undefined,
};

async function offered(marked: string, help = HELP) {
  const place = placeAt(marked.replace("|", ""), marked.indexOf("|"));
  return place ? (await optionsOf(place, help)).map(({ label }) => label) : [];
}

it("a kind is offered by the version that is written, a version by the kind", async () => {
  expect(await offered("kind: |")).toEqual(["Pod", "Node", "Deployment"]);
  expect(await offered("apiVersion: apps/v1\nkind: |")).toEqual(["Deployment"]);
  expect(await offered("kind: Pod\napiVersion: |")).toEqual(["v1"]);
});

it("a document begins with what every object has", async () => {
  expect(await offered("kind: Pod\n|")).toEqual(["apiVersion", "metadata", "spec"]);
});

it("without an answer of the server nothing is offered", async () => {
  const away: YamlHelp = { kinds: async () => [], outlineOf: async () => undefined };
  expect(await offered("kind: |", away)).toEqual([]);
});
