/** Small repeated drawings for a canvas, so that a meaning is seen without its colour. */
export type PatternName = "hatch" | "bars" | "dots";

const SIDE = 6;

export class Patterns {
  private readonly made = new Map<string, CanvasPattern | undefined>();

  constructor(
    private readonly context: CanvasRenderingContext2D,
    private readonly pixelRatio: number,
  ) {}

  get(name: PatternName, colour: string): CanvasPattern | undefined {
    const key = `${name} ${colour}`;
    if (!this.made.has(key)) this.made.set(key, this.make(name, colour));
    return this.made.get(key);
  }

  private make(name: PatternName, colour: string): CanvasPattern | undefined {
    const side = SIDE * this.pixelRatio;
    const tile = document.createElement("canvas");
    tile.width = tile.height = side;
    const drawing = tile.getContext("2d");
    if (!drawing) return undefined;
    drawing.strokeStyle = drawing.fillStyle = colour;
    drawing.lineWidth = side / 5;
    DRAWINGS[name](drawing, side);
    const pattern = this.context.createPattern(tile, "repeat") ?? undefined;
    pattern?.setTransform(new DOMMatrix().scale(1 / this.pixelRatio));
    return pattern;
  }
}

const DRAWINGS: Readonly<Record<PatternName, (drawing: CanvasRenderingContext2D, side: number) => void>> = {
  hatch(drawing, side) {
    for (const shift of [-side, 0, side]) line(drawing, shift, side, shift + side, 0);
  },
  bars(drawing, side) {
    line(drawing, 0, side / 2, side, side / 2);
  },
  dots(drawing, side) {
    drawing.fillRect(side / 3, side / 3, side / 3, side / 3);
  },
};

function line(drawing: CanvasRenderingContext2D, x1: number, y1: number, x2: number, y2: number): void {
  drawing.beginPath();
  drawing.moveTo(x1, y1);
  drawing.lineTo(x2, y2);
  drawing.stroke();
}
