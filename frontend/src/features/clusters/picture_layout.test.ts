import { expect, it } from "vitest";
import { average, pictureLayout } from "./picture_layout";

it.each([0, 1, 4, 60, 200])("%i cells have all their place in the picture", (cells) => {
  const { columns, step, width, height } = pictureLayout(cells);
  for (let i = 0; i < cells; i += 1) {
    expect((i % columns) * step).toBeLessThan(width);
    expect(Math.floor(i / columns) * step).toBeLessThan(height);
  }
});

it("few cells are no larger than in a picture of many rows", () => {
  expect(pictureLayout(1)).toEqual(pictureLayout(20));
});

it("many cells keep the shape of the room", () => {
  const { width, height } = pictureLayout(200);
  expect(width / height).toBeGreaterThan(2.5);
  expect(width / height).toBeLessThan(4.5);
});

it("the average of nothing is nothing", () => {
  expect(average([])).toBe(0);
  expect(average([10, 15])).toBe(13);
});
