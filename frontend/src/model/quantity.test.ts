import { expect, test } from "vitest";
import { formatQuantity, shortResource } from "./quantity";

test.each([
  ["cpu", 500, "500m"],
  ["cpu", 2000, "2"],
  ["cpu", 1250, "1250m"],
  ["memory", 128 * 1024 ** 2, "128Mi"],
  ["memory", 1.5 * 1024 ** 3, "1.5Gi"],
  ["memory", 0, "0"],
  ["memory", 1000, "1000"],
  ["pods", 110, "110"],
  ["nvidia.com/gpu", 4, "4"],
])("%s %d is written %s", (resource, amount, text) => {
  expect(formatQuantity(resource, amount)).toBe(text);
});

test("an extended resource is shown by its last part", () => {
  expect(shortResource("nvidia.com/gpu")).toBe("gpu");
});
