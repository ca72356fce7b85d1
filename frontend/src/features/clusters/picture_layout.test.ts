import { expect, it } from "vitest";
import { average, pictureLayout } from "./picture_layout";

it.each([0, 1, 4, 60, 200])("%i cells have all their place in the picture", (cells) => {
  const { columns, cell, step, width, height } = pictureLayout(cells);
  for (let i = 0; i < cells; i += 1) {
    expect((i % columns) * step + cell).toBeLessThanOrEqual(width);
    expect(Math.floor(i / columns) * step + cell).toBeLessThanOrEqual(height);
  }
});

it("fewer cells are larger, and a few no larger than one", () => {
  expect(pictureLayout(60).cell).toBeGreaterThan(pictureLayout(200).cell);
  expect(pictureLayout(1)).toEqual(pictureLayout(8));
});

it("the average of nothing is nothing", () => {
  expect(average([])).toBe(0);
  expect(average([10, 15])).toBe(13);
});
