import { expect, test } from "vitest";
import { withWeights } from "./reweigh";

const NAME = "default-scheduler";

test("a document without profiles gets one", () => {
  expect(withWeights({ kind: "KubeSchedulerConfiguration" }, NAME, { ImageLocality: 5 })).toEqual({
    kind: "KubeSchedulerConfiguration",
    profiles: [{ schedulerName: NAME, plugins: { multiPoint: { enabled: [{ name: "ImageLocality", weight: 5 }] } } }],
  });
});

test("where the score point names the plugin, that entry decides and is changed", () => {
  const document = {
    profiles: [{ plugins: { score: { enabled: [{ name: "ImageLocality", weight: 1 }, { name: "NodeAffinity" }] } } }],
  };
  expect(withWeights(document, NAME, { ImageLocality: 3 }).profiles).toEqual([
    { plugins: { score: { enabled: [{ name: "ImageLocality", weight: 3 }, { name: "NodeAffinity" }] } } },
  ]);
});

test("a weight of 0 disables the plugin at the score point, another weight brings it back", () => {
  const off = withWeights({ profiles: [{}] }, NAME, { ImageLocality: 0 });
  expect(off.profiles).toEqual([{ plugins: { score: { disabled: [{ name: "ImageLocality" }] } } }]);
  expect(withWeights(off, NAME, { ImageLocality: 2 }).profiles).toEqual([
    { plugins: { score: { disabled: [] }, multiPoint: { enabled: [{ name: "ImageLocality", weight: 2 }] } } },
  ]);
});

test("other profiles and everything else stay as they are", () => {
  const other = { schedulerName: "other", pluginConfig: [{ name: "NodeAffinity" }] };
  const document = { parallelism: 4, profiles: [other] };
  expect(withWeights(document, NAME, { NodeAffinity: 2 })).toMatchObject({
    parallelism: 4,
    profiles: [other, { schedulerName: NAME }],
  });
});
