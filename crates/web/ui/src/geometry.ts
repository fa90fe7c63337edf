// Where cells lie in the plane.

import type { View } from "./api";

/** The side of a square cell; hexagons have about the same area. */
export const SIZE = 60;
const RADIUS = 34;
const HEX_WIDTH = RADIUS * Math.sqrt(3);

export interface Point {
  x: number;
  y: number;
}
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Whether a triangle of hexagons has its tip below: it is drawn with the tip above. */
function standsOnTip({ layout, cells }: View): boolean {
  const ys = cells.map((cell) => cell.y);
  const width = (row: number) => cells.filter((cell) => cell.y === row).length;
  return layout === "hex" && width(Math.max(...ys)) === 1 && width(Math.min(...ys)) > 1;
}

export class Geometry {
  /** Whether the board is drawn the other way round. */
  readonly isTurned: boolean;
  private readonly sign: 1 | -1;

  /** A board that is flipped is seen from the other side. */
  constructor(
    readonly view: View,
    isFlipped = false,
  ) {
    this.isTurned = isFlipped !== standsOnTip(view);
    this.sign = this.isTurned ? -1 : 1;
  }

  centre(place: { x: number; y: number }): Point {
    const { sign } = this;
    if (this.view.layout === "hex")
      return { x: sign * (place.x + place.y / 2) * HEX_WIDTH, y: sign * place.y * RADIUS * 1.5 };
    return { x: sign * place.x * SIZE, y: sign * place.y * SIZE };
  }

  /** Where a label is written: names of rows stay at the left of a square board, and names of columns below it. */
  label(label: { x: number; y: number }): Point {
    if (this.sign === 1 || this.view.layout !== "square") return this.centre(label);
    const [xs, ys] = [this.view.cells.map((cell) => cell.x), this.view.cells.map((cell) => cell.y)];
    const [left, bottom] = [Math.min(...xs), Math.max(...ys)];
    return this.centre({
      x: label.x < left ? left + Math.max(...xs) - label.x : label.x,
      y: label.y > bottom ? bottom + Math.min(...ys) - label.y : label.y,
    });
  }

  /** The outline of a cell as SVG points, a little smaller or larger. */
  outline(cell: { x: number; y: number }, scale = 1): string {
    const { x, y } = this.centre(cell);
    const corner = (dx: number, dy: number) => `${(x + dx * scale).toFixed(1)},${(y + dy * scale).toFixed(1)}`;
    if (this.view.layout === "hex") {
      const half = HEX_WIDTH / 2;
      return [
        corner(0, -RADIUS),
        corner(half, -RADIUS / 2),
        corner(half, RADIUS / 2),
        corner(0, RADIUS),
        corner(-half, RADIUS / 2),
        corner(-half, -RADIUS / 2),
      ].join(" ");
    }
    const half = SIZE / 2;
    return [corner(-half, -half), corner(half, -half), corner(half, half), corner(-half, half)].join(" ");
  }

  /** Around the cells alone. */
  bounds(): Box {
    const cells = this.view.cells.map((cell) => this.centre(cell));
    const [xs, ys] = [cells.map((point) => point.x), cells.map((point) => point.y)];
    const [x, y] = [Math.min(...xs) - SIZE / 2, Math.min(...ys) - SIZE / 2];
    return { x, y, width: Math.max(...xs) + SIZE / 2 - x, height: Math.max(...ys) + SIZE / 2 - y };
  }

  /** What has to be seen. */
  box(): Box {
    // Labels need less room around them than cells, and those below a square board move up to it.
    const below = this.view.layout === "hex" ? 0.35 : 0.05;
    const cells = this.view.cells.map((cell) => this.centre(cell));
    const labels = this.view.labels.map((label) => this.label(label));
    const xs = [...cells, ...labels].map((point) => point.x);
    const [left, right] = [Math.min(...xs) - SIZE * 0.6, Math.max(...xs) + SIZE * 0.6];
    const top = Math.min(
      ...cells.map((point) => point.y - SIZE * 0.6),
      ...labels.map((point) => point.y - SIZE * 0.35),
    );
    const bottom = Math.max(
      ...cells.map((point) => point.y + SIZE * 0.6),
      ...labels.map((point) => point.y + SIZE * below),
    );
    return { x: left, y: top, width: right - left, height: bottom - top };
  }

  /** The nearest cell from another one in the direction of an arrow key. */
  neighbour(from: number, key: string): number | null {
    const direction = {
      ArrowLeft: { x: -1, y: 0 },
      ArrowRight: { x: 1, y: 0 },
      ArrowUp: { x: 0, y: -1 },
      ArrowDown: { x: 0, y: 1 },
    }[key];
    const start = this.view.cells[from];
    if (!direction || !start) return null;
    const here = this.centre(start);
    let best: { cell: number; distance: number } | null = null;
    this.view.cells.forEach((cell, index) => {
      const there = this.centre(cell);
      const [dx, dy] = [there.x - here.x, there.y - here.y];
      const along = dx * direction.x + dy * direction.y;
      const aside = Math.abs(dx * direction.y - dy * direction.x);
      if (along < 1 || aside > along * 1.01) return;
      const distance = along + 2 * aside;
      if (!best || distance < best.distance) best = { cell: index, distance };
    });
    return (best as { cell: number } | null)?.cell ?? null;
  }
}
