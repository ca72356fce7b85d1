import { describe, expect, test } from "vitest";
import { fitScale, forEachTileIn, layoutBoard, nodeIndexAt, tileRect, withNewerCards } from "./board_layout";
import { groupNodes } from "./grouping";
import { nodeCard } from "./testing";

const VIEW = { width: 1000, height: 600 };

const nodes = (count: number, zones = 3) =>
  Array.from({ length: count }, (_, n) => nodeCard(`n${n}`, { zone: `zone-${n % zones}` }));
const zoneGroups = (count: number, zones = 3) => groupNodes(nodes(count, zones), "topology.kubernetes.io/zone");
const layout = (count: number, zones = 3) => layoutBoard(zoneGroups(count, zones), VIEW);

describe.each([1, 6, 60, 300, 5000])("%i nodes", (count) => {
  const board = layout(count);

  test("have each a tile of their own, found at its middle", () => {
    for (let index = 0; index < count; index++) {
      const { x, y, width, height } = tileRect(board, index);
      expect(nodeIndexAt(board, x + width / 2, y + height / 2)).toBe(index);
    }
  });

  test("lie inside their region, and the regions inside the board", () => {
    for (const region of board.regions) {
      const last = tileRect(board, region.first + region.count - 1);
      expect(last.x + last.width).toBeLessThanOrEqual(region.x + region.width);
      expect(last.y + last.height).toBeLessThanOrEqual(region.y + region.height);
      expect(region.y + region.height).toBeLessThanOrEqual(board.height + 1e-6);
    }
  });
});

test("thousands of nodes fill most of the view", () => {
  const board = layout(5000);
  const scale = fitScale(board, VIEW);
  expect(board.width * scale * board.height * scale).toBeGreaterThan(VIEW.width * VIEW.height * 0.8);
});

test("regions do not overlap, also when there are many", () => {
  const { regions } = layout(300, 40);
  for (const [at, a] of regions.entries()) {
    for (const b of regions.slice(at + 1)) {
      const apart = a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
      expect(apart, `${a.name} and ${b.name}`).toBe(true);
    }
  }
});

test("only tiles that touch the view are visited", () => {
  const board = layout(300);
  const rect = tileRect(board, 150);
  const seen: number[] = [];
  forEachTileIn(board, rect, (index) => seen.push(index));
  expect(seen).toEqual([150]);
});

test("between tiles, on headings and outside there is no node", () => {
  const board = layout(6);
  expect(nodeIndexAt(board, -5, -5)).toBeUndefined();
  expect(nodeIndexAt(board, (board.regions[0]?.x ?? 0) + 10, (board.regions[0]?.y ?? 0) + 1)).toBeUndefined();
});

test("newer cards of the same nodes keep their places; a node more is laid out anew", () => {
  const board = layout(6);
  const newer = withNewerCards(board, zoneGroups(6));
  expect(newer?.regions).toBe(board.regions);
  expect(newer?.nodes[0]).not.toBe(board.nodes[0]);
  expect(withNewerCards(board, zoneGroups(7))).toBeUndefined();
});

test("no nodes are an empty board", () => {
  expect(layoutBoard([], VIEW)).toMatchObject({ regions: [], width: 0, height: 0 });
});
