/**
 * Draws a board of thousands of nodes on a canvas.
 *
 * Only what is in view is drawn, in screen pixels: text and edges are sharp at every zoom. After a change of a
 * few nodes only their tiles are drawn again. What a colour means is also told by a pattern (over-commit and
 * rejections are hatched), a word where there is room, and the tooltip.
 */
import { t } from "../../app/messages";
import { planeIn } from "../../interaction/viewport";
import { forEachTileIn, type Rect, type Region } from "../../model/board_layout";
import { MOST_CATEGORIES, type Paint, paintOfPod, type Verdict } from "../../model/colouring";
import type { PackedPod } from "../../model/core_cells";
import type { NodeMatch } from "../../model/matches";
import type { NodeCard } from "../../model/messages.generated";
import type { NodeLoad } from "../../model/state";
import {
  type CellBox,
  cellBox,
  detailOf,
  loadIn,
  nameHeight,
  onScreen,
  packedPodsOf,
  podRects,
  type Scene,
  screenRect,
} from "./board_scene";
import { type Colours, categoryColour, levelIndex, textOn } from "./paint_colours";
import { Patterns } from "./patterns";

const DIMMED = 0.18;
/** Of a verdict over what the tile shows otherwise. */
const VERDICT_OPACITY = 0.93;
const FONT = "11px system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif";
const BOLD = FONT.replace("11px", "600 12px");
/** Names are digits and small letters; a digit is as wide as any of them. */
const WIDE_LETTER = "0";
/** In cells a pod is seen also where the level is low: empty cells stand beside it. */
const LEAST_LEVEL = 0.3;

/** What is written over a verdict is the node's name alone. */
const NO_PAINT: Paint = { kind: "none", word: "" };

export class BoardPainter {
  private readonly patterns: Patterns;
  /** Width of a letter. */
  private readonly letter: number;

  constructor(
    private readonly context: CanvasRenderingContext2D,
    private readonly colours: Colours,
    pixelRatio: number,
  ) {
    this.patterns = new Patterns(context, pixelRatio);
    context.setTransform(pixelRatio, 0, 0, pixelRatio, 0, 0);
    context.textBaseline = "middle";
    context.font = FONT;
    this.letter = context.measureText(WIDE_LETTER).width;
  }

  /** Everything in view. Answers how many tiles were drawn. */
  paint(scene: Scene): number {
    const { context, colours } = this;
    context.globalAlpha = 1;
    context.fillStyle = colours.bg;
    context.fillRect(0, 0, scene.view.width, scene.view.height);
    for (const region of scene.layout.regions) this.paintRegion(scene, region);
    let count = 0;
    forEachTileIn(scene.layout, planeIn(scene.viewport, scene.view), (index) => {
      this.paintTile(scene, index);
      count += 1;
    });
    return count;
  }

  /** Some tiles again, where they stand. */
  repaint(scene: Scene, indices: Iterable<number>): number {
    let count = 0;
    for (const index of indices) {
      const rect = screenRect(scene, index);
      if (!isIn(scene, rect)) continue;
      this.context.fillStyle = this.colours.region;
      this.context.fillRect(rect.x - 2, rect.y - 2, rect.width + 4, rect.height + 4);
      this.paintTile(scene, index);
      count += 1;
    }
    return count;
  }

  private paintRegion(scene: Scene, region: Region): void {
    const rect = onScreen(region, scene.viewport);
    if (!isIn(scene, rect)) return;
    const { context, colours } = this;
    context.fillStyle = colours.region;
    context.beginPath();
    context.roundRect(rect.x, rect.y, rect.width, rect.height, 6);
    context.fill();
    if (region.heading > 0) this.paintHeading(region, rect, region.heading * scene.viewport.scale);
  }

  private paintHeading({ name, count }: Region, rect: Rect, height: number): void {
    if (height < 10 || rect.width < 24) return;
    const { context, colours } = this;
    const y = rect.y + Math.min(height, 24) / 2 + 2;
    const title = this.shortened(name || "—", rect.width - 24);
    context.font = BOLD;
    context.fillStyle = colours.text;
    context.textAlign = "left";
    context.fillText(title, rect.x + 8, y);
    const left = rect.x + 14 + context.measureText(title).width;
    if (left + 30 > rect.x + rect.width) return;
    context.font = FONT;
    context.fillStyle = colours.muted;
    context.fillText(String(count), left, y);
  }

  private paintTile(scene: Scene, index: number): void {
    const node = scene.layout.nodes[index];
    if (!node) return;
    const load = loadIn(scene.state, node);
    const match = scene.matches?.of(node, load);
    const rect = screenRect(scene, index);
    this.context.globalAlpha = match && !match.node && match.pods.size === 0 ? DIMMED : 1;
    const paint = scene.colouring.of(node, load);
    if (detailOf(scene) === "cells") this.paintCells(scene, node, load, match, rect, paint);
    else this.paintHeat(node, rect, paint);
    this.paintStates(node, rect);
    this.context.globalAlpha = 1;
    if (scene.drag) this.paintVerdict(scene.drag, node, rect);
    this.paintVictims(scene, node, load, rect);
    if (scene.picked.has(node.name)) this.outline(rect, this.colours.accent, 1);
    if (scene.selectedNode === node.uid) this.outline(rect, this.colours.accent, 2);
  }

  private paintHeat(node: NodeCard, rect: Rect, paint: Paint): void {
    const { context } = this;
    const colour = this.colourOf(paint);
    context.fillStyle = colour;
    context.fillRect(rect.x, rect.y, rect.width, rect.height);
    this.paintPattern(paint, rect);
    if (rect.width < 26 || rect.height < 13) return;
    context.fillStyle = paint.kind === "level" ? this.levelText(paint.level) : textOn(colour);
    context.font = FONT;
    context.textAlign = "center";
    const middle = rect.x + rect.width / 2;
    const named = nameHeight(rect) > 0;
    if (paint.kind !== "verdict") {
      const y = rect.y + rect.height / 2 + (named ? 8 : 0);
      context.fillText(this.fitting(paint, rect.width - 2), middle, y);
    }
    if (named) context.fillText(this.shortened(node.name, rect.width - 6), middle, rect.y + rect.height / 2 - 7);
  }

  private paintCells(
    scene: Scene,
    node: NodeCard,
    load: NodeLoad,
    match: NodeMatch | undefined,
    rect: Rect,
    paint: Paint,
  ): void {
    const { context, colours } = this;
    context.fillStyle = colours.tile;
    context.fillRect(rect.x, rect.y, rect.width, rect.height);
    const box = cellBox(rect, node.allocatable.cpu ?? 0);
    this.paintGrid(box);
    const filled = paint.kind === "level" ? { ...paint, level: Math.max(LEAST_LEVEL, paint.level) } : paint;
    for (const pod of packedPodsOf(node, load)) this.paintPod(scene, pod, match, box, rect, filled);
    this.outline(rect, paint.kind === "verdict" ? this.colourOf(paint) : colours.line, 1);
    if (paint.kind === "verdict" || (paint.kind === "level" && paint.over)) this.paintPattern(paint, rect);
    this.paintName(node, rect, paint);
  }

  private paintGrid({ x, y, size, columns, count }: CellBox): void {
    const { context } = this;
    const gap = size > 4 ? 1 : 0;
    context.fillStyle = this.colours.bg;
    for (let cell = 0; cell < count; cell++) {
      context.fillRect(x + (cell % columns) * size, y + Math.floor(cell / columns) * size, size - gap, size - gap);
    }
  }

  private paintPod(
    scene: Scene,
    packed: PackedPod,
    match: NodeMatch | undefined,
    box: CellBox,
    rect: Rect,
    nodePaint: Paint,
  ): void {
    const { context } = this;
    const { pod } = packed;
    const alpha = context.globalAlpha;
    if (match && !match.pods.has(pod)) context.globalAlpha = Math.min(alpha, match.node ? 0.6 : DIMMED);
    context.fillStyle = this.colourOf(paintOfPod(scene.colouring.context, pod) ?? nodePaint);
    for (const part of podRects(packed, box)) {
      this.fillWithin(part, rect);
      if (scene.selectedPod === pod.uid) this.outline(part, this.colours.text, 2);
    }
    context.globalAlpha = alpha;
  }

  /** What goes over the tile's lower edge (over-commit) is cut off there. */
  private fillWithin({ x, y, width, height }: Rect, tile: Rect): void {
    const bottom = tile.y + tile.height - 1;
    if (y < bottom) this.context.fillRect(x, y, width, Math.min(height, bottom - y));
  }

  /** Pods that would have to leave: hatched where pods are drawn, and how many, over whatever the node's verdict is. */
  private paintVictims(scene: Scene, node: NodeCard, load: NodeLoad, rect: Rect): void {
    const { victims } = scene.drag ?? {};
    if (!victims || victims.size === 0) return;
    const count = load.pods.filter(({ uid }) => victims.has(uid)).length;
    if (count === 0) return;
    if (detailOf(scene) === "cells") this.paintVictimCells(node, load, rect, victims);
    else this.outline(rect, this.colours.danger, 1);
    this.paintAnswer(t.boardView.victims(count), rect, this.colours.danger);
  }

  private paintVictimCells(node: NodeCard, load: NodeLoad, rect: Rect, victims: ReadonlySet<string>): void {
    const box = cellBox(rect, node.allocatable.cpu ?? 0);
    const hatch = this.patterns.get("hatch", this.colours.danger);
    for (const packed of packedPodsOf(node, load)) {
      if (!victims.has(packed.pod.uid)) continue;
      for (const part of podRects(packed, box)) {
        this.context.fillStyle = this.colours.dangerSoft;
        this.fillWithin(part, rect);
        if (hatch) this.context.fillStyle = hatch;
        this.fillWithin(part, rect);
        this.outline(part, this.colours.danger, 1);
      }
    }
  }

  private paintName(node: NodeCard, rect: Rect, paint: Paint): void {
    if (nameHeight(rect) === 0) return;
    const { context, colours } = this;
    const word = paint.kind === "level" && rect.width > 88 ? paint.word : "";
    context.font = FONT;
    context.textAlign = "left";
    context.fillStyle = colours.text;
    const room = rect.width - 8 - (word ? word.length * this.letter + 8 : 0);
    context.fillText(this.shortened(node.name, room), rect.x + 4, rect.y + 9);
    if (!word) return;
    context.textAlign = "right";
    context.fillStyle = colours.muted;
    context.fillText(word, rect.x + rect.width - 4, rect.y + 9);
  }

  /** A cordoned node has a corner cut off, one that is not ready a red bar on its left. */
  private paintStates(node: NodeCard, { x, y, width, height }: Rect): void {
    const { context, colours } = this;
    if (node.unschedulable) {
      const size = Math.min(10, width / 2, height / 2);
      context.fillStyle = colours.region;
      context.beginPath();
      context.moveTo(x + width - size, y);
      context.lineTo(x + width, y);
      context.lineTo(x + width, y + size);
      context.fill();
    }
    if (node.ready !== "True") {
      context.fillStyle = colours.danger;
      context.fillRect(x, y, Math.max(2, Math.min(4, width / 8)), height);
    }
  }

  private paintVerdict(drag: NonNullable<Scene["drag"]>, node: NodeCard, rect: Rect): void {
    const found = drag.verdictOn(node.name);
    if (found) {
      const { strong, soft } = this.colours.verdicts[found.verdict];
      this.context.globalAlpha = VERDICT_OPACITY;
      this.context.fillStyle = soft;
      this.context.fillRect(rect.x, rect.y, rect.width, rect.height);
      this.context.globalAlpha = 1;
      this.paintName(node, rect, NO_PAINT);
      this.paintSign(found.verdict, rect, strong);
      this.paintAnswer(found.word, rect, strong);
      this.outline(rect, strong, 1);
    }
    if (drag.over === node.name) {
      this.outline(rect, found ? this.colours.verdicts[found.verdict].strong : this.colours.accent, 3);
    }
  }

  /** Where there is room: the score, or the first reason. */
  private paintAnswer(word: string, rect: Rect, colour: string): void {
    if (nameHeight(rect) === 0 || rect.height < 36) return;
    const { context } = this;
    context.font = FONT;
    context.fillStyle = colour;
    context.textAlign = "center";
    const shown = this.begun(word, rect.width - 6);
    context.fillText(shown, rect.x + rect.width / 2, rect.y + rect.height - 8);
  }

  /** A tick, a cross, a bar: the verdict without its colour. */
  private paintSign(verdict: Verdict, { x, y, width, height }: Rect, colour: string): void {
    const { context } = this;
    const half = Math.min(width, height, 18) / 4;
    const middleX = x + width / 2;
    const middleY = y + height / 2;
    context.strokeStyle = colour;
    context.lineWidth = Math.max(1, half / 3);
    context.beginPath();
    for (const [kind, dx, dy] of SIGNS[verdict]) {
      context[kind === "M" ? "moveTo" : "lineTo"](middleX + dx * half, middleY + dy * half);
    }
    context.stroke();
  }

  private paintPattern(paint: Paint, rect: Rect): void {
    const pattern = this.patternOf(paint);
    if (!pattern) return;
    this.context.fillStyle = pattern;
    this.context.fillRect(rect.x, rect.y, rect.width, rect.height);
  }

  private patternOf(paint: Paint): CanvasPattern | undefined {
    if (paint.kind === "level" && paint.over) return this.patterns.get("hatch", this.colours.danger);
    if (paint.kind === "category" && paint.index >= MOST_CATEGORIES)
      return this.patterns.get("dots", this.colours.tile);
    if (paint.kind === "verdict" && paint.verdict === "rejected") {
      return this.patterns.get("hatch", this.colours.verdicts.rejected.strong);
    }
    if (paint.kind === "verdict" && paint.verdict === "unresolvable") {
      return this.patterns.get("bars", this.colours.verdicts.unresolvable.strong);
    }
    return undefined;
  }

  private colourOf(paint: Paint): string {
    switch (paint.kind) {
      case "level":
        return this.colours.levels[levelIndex(paint.level)] ?? this.colours.line;
      case "category":
        return categoryColour(this.colours, paint.index);
      case "verdict":
        return this.colours.verdicts[paint.verdict][paint.verdict === "fits" ? "strong" : "soft"];
      case "none":
        return this.colours.line;
    }
  }

  /** A figure is shown whole or not at all: a part of it would be another figure. */
  private fitting(paint: Paint, width: number): string {
    if (paint.kind !== "level") return this.begun(paint.word, width);
    return paint.word.length * this.letter <= width ? paint.word : "";
  }

  /** As much of the beginning as there is room for. */
  private begun(text: string, width: number): string {
    const room = Math.floor(width / this.letter);
    if (text.length <= room) return text;
    return room < 3 ? "" : `${text.slice(0, room - 1)}…`;
  }

  /** Names of nodes differ at their ends: the beginning is left out. */
  private shortened(text: string, width: number): string {
    const room = Math.floor(width / this.letter);
    if (text.length <= room) return text;
    return room < 3 ? "" : `…${text.slice(1 - room)}`;
  }

  private levelText(level: number): string {
    return this.colours.levelTexts[levelIndex(level)] ?? this.colours.text;
  }

  private outline({ x, y, width, height }: Rect, colour: string, thickness: number): void {
    const { context } = this;
    context.strokeStyle = colour;
    context.lineWidth = thickness;
    const inset = thickness / 2;
    context.strokeRect(x + inset, y + inset, width - thickness, height - thickness);
  }
}

type Stroke = readonly ["M" | "L", number, number];
const SIGNS: Readonly<Record<Verdict, readonly Stroke[]>> = {
  fits: [
    ["M", -1, 0],
    ["L", -0.2, 0.8],
    ["L", 1, -0.8],
  ],
  rejected: [
    ["M", -0.8, -0.8],
    ["L", 0.8, 0.8],
    ["M", 0.8, -0.8],
    ["L", -0.8, 0.8],
  ],
  unresolvable: [
    ["M", -1, 0],
    ["L", 1, 0],
  ],
};

const isIn = ({ view }: Scene, { x, y, width, height }: Rect): boolean =>
  x < view.width && y < view.height && x + width > 0 && y + height > 0;
