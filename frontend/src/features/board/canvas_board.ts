/**
 * A canvas that shows a scene: it knows when to draw and how much, and where things are.
 *
 * Whatever changes is only noted; the drawing is done once before the next frame. A change of pods draws the tiles
 * of their nodes, everything else draws what is in view. React has no part in it: neither a pod that lands nor a
 * step of a pan renders a component.
 */

import type { ArrowKey } from "../../interaction/keyboard_path";
import { neighbourTile } from "../../interaction/keyboard_path";
import { type Bounds, fitted, panned, revealing, type Viewport, zoomedAt } from "../../interaction/viewport";
import { nodeIndexAt, type Rect, tileRect } from "../../model/board_layout";
import type { NodeCard } from "../../model/messages.generated";
import type { ClusterState, NodeLoad } from "../../model/state";
import { BoardPainter } from "./board_painter";
import { loadIn, podAt, type Scene, screenRect } from "./board_scene";
import { coloursOf } from "./paint_colours";

export interface Point {
  readonly x: number;
  readonly y: number;
}

export class CanvasBoard {
  private scene: Scene;
  private painter: BoardPainter;
  private frame: number | undefined;
  private all = true;
  private readonly touched = new Set<number>();
  private drawn: (NodeLoad | undefined)[] = [];
  /** Until a hand moves the board, it is fitted again whenever its room changes. */
  private isFitted = true;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    scene: Omit<Scene, "viewport" | "view">,
    private readonly moved: (viewport: Viewport) => void,
  ) {
    this.scene = { ...scene, view: { width: 1, height: 1 }, viewport: { scale: 1, x: 0, y: 0 } };
    this.painter = this.newPainter();
  }

  /** After the theme changed, or the screen's resolution. */
  restyle(): void {
    this.painter = this.newPainter();
    this.redraw();
  }

  private newPainter(): BoardPainter {
    const context = this.canvas.getContext("2d", { alpha: false });
    if (!context) throw new Error("This browser draws no canvas.");
    return new BoardPainter(context, coloursOf(this.canvas), window.devicePixelRatio);
  }

  resize(width: number, height: number): void {
    const ratio = window.devicePixelRatio;
    this.canvas.width = Math.max(1, Math.round(width * ratio));
    this.canvas.height = Math.max(1, Math.round(height * ratio));
    this.scene = { ...this.scene, view: { width, height } };
    // A canvas of another size has forgotten its settings.
    this.restyle();
    this.look(this.isFitted ? fitted(this.bounds()) : panned(this.scene.viewport, 0, 0, this.bounds()));
  }

  /** `only`: the nodes that it changes, where it is known that it changes no others. */
  show(part: Partial<Omit<Scene, "viewport" | "view" | "state">>, only?: Iterable<string | undefined>): void {
    const relaid = part.layout !== undefined && part.layout.width !== this.scene.layout.width;
    this.scene = { ...this.scene, ...part };
    if (only) this.touch(only);
    else this.redraw();
    if (relaid && this.isFitted) this.fit();
  }

  /** A newer state of the cluster: only what it changed is drawn. */
  follow(state: ClusterState): void {
    if (state === this.scene.state) return;
    this.scene = { ...this.scene, state };
    if (this.all) {
      this.ask();
      return;
    }
    this.scene.layout.nodes.forEach((node, index) => {
      if (state.loads.get(node.name) !== this.drawn[index]) this.touched.add(index);
    });
    if (this.touched.size > 0) this.ask();
  }

  private touch(names: Iterable<string | undefined>): void {
    for (const name of names) {
      const index = name === undefined ? undefined : this.scene.layout.indexOf.get(name);
      if (index !== undefined) this.touched.add(index);
    }
    this.ask();
  }

  private redraw(): void {
    this.all = true;
    this.ask();
  }

  private ask(): void {
    this.frame ??= requestAnimationFrame(() => this.draw());
  }

  private draw(): void {
    this.frame = undefined;
    const count = this.all ? this.painter.paint(this.scene) : this.painter.repaint(this.scene, this.touched);
    this.noteDrawn();
    this.canvas.dataset.painted = String(count);
    this.all = false;
    this.touched.clear();
  }

  private noteDrawn(): void {
    const { layout, state } = this.scene;
    const loadOf = (index: number) => state.loads.get(layout.nodes[index]?.name ?? "");
    if (this.all) this.drawn = layout.nodes.map((_, index) => loadOf(index));
    else for (const index of this.touched) this.drawn[index] = loadOf(index);
  }

  stop(): void {
    if (this.frame !== undefined) cancelAnimationFrame(this.frame);
  }

  // Looking

  private bounds(): Bounds {
    return { content: this.scene.layout, view: this.scene.view };
  }

  private look(viewport: Viewport): void {
    this.scene = { ...this.scene, viewport };
    this.redraw();
    this.moved(viewport);
  }

  fit(): void {
    this.isFitted = true;
    this.look(fitted(this.bounds()));
  }

  pan(dx: number, dy: number): void {
    this.isFitted = false;
    this.look(panned(this.scene.viewport, dx, dy, this.bounds()));
  }

  /** Around a point of the canvas; its middle where none is named. */
  zoom(factor: number, at?: Point): void {
    this.isFitted = false;
    const { width, height } = this.scene.view;
    this.look(zoomedAt(this.scene.viewport, factor, at ?? { x: width / 2, y: height / 2 }, this.bounds()));
  }

  reveal(index: number): void {
    const viewport = revealing(this.scene.viewport, tileRect(this.scene.layout, index), this.bounds());
    if (viewport === this.scene.viewport) return;
    this.isFitted = false;
    this.look(viewport);
  }

  // Finding

  /** Index of the node at a point of the canvas. */
  indexAt({ x, y }: Point): number | undefined {
    const { scale, x: left, y: top } = this.scene.viewport;
    return nodeIndexAt(this.scene.layout, (x - left) / scale, (y - top) / scale);
  }

  indexOf(name: string): number | undefined {
    return this.scene.layout.indexOf.get(name);
  }

  nodeOf(index: number): NodeCard | undefined {
    return this.scene.layout.nodes[index];
  }

  loadOf(node: NodeCard): NodeLoad {
    return loadIn(this.scene.state, node);
  }

  podAt(index: number, { x, y }: Point) {
    return podAt(this.scene, index, x, y)?.pod;
  }

  /** On the canvas. */
  rectOf(index: number): Rect {
    return screenRect(this.scene, index);
  }

  beside(index: number, key: ArrowKey): number {
    return neighbourTile(this.scene.layout, index, key);
  }

  /** Every node that is in view now. */
  inView(): readonly number[] {
    const { width, height } = this.scene.view;
    return this.scene.layout.nodes.flatMap((_, index) => {
      const rect = this.rectOf(index);
      const isIn = rect.x < width && rect.y < height && rect.x + rect.width > 0 && rect.y + rect.height > 0;
      return isIn ? [index] : [];
    });
  }

  get count(): number {
    return this.scene.layout.nodes.length;
  }

  /** Width of a tile in pixels. */
  get tileWidth(): number {
    return this.count === 0 ? 0 : this.rectOf(0).width;
  }
}
