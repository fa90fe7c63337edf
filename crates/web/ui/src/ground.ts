// What lies under the pieces: squares, the lines of a Go board, holes, hexagons.

import type { View } from "./api";
import { s } from "./dom";
import { Geometry, SIZE } from "./geometry";
import type { Hints } from "./source";

export type Ground = "squares" | "lines" | "holes" | "hexagons";

export function groundOf(view: View, hints: Hints): Ground {
  if (hints.holes) return "holes";
  if (view.layout === "hex") return "hexagons";
  return hints.lines ? "lines" : "squares";
}

/** The places of the dots on a line of so many points, from 0. */
function stars(points: number): number[] {
  if (points < 7) return points % 2 === 1 ? [(points - 1) / 2] : [];
  const first = points < 13 ? 2 : 3;
  return [first, ...(points % 2 === 1 ? [(points - 1) / 2] : []), points - 1 - first];
}

/** Whether a point of a board with so many on each side has a dot. */
function isStar(x: number, y: number, width: number, height: number): boolean {
  if (!stars(width).includes(x) || !stars(height).includes(y)) return false;
  // Small boards have no dots at the middle of their sides.
  const middles = Number(x * 2 === width - 1) + Number(y * 2 === height - 1);
  return middles !== 1 || Math.min(width, height) > 13;
}

function lines({ cells }: View, geometry: Geometry): SVGElement[] {
  const [xs, ys] = [cells.map((cell) => cell.x), cells.map((cell) => cell.y)];
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const line = (x1: number, y1: number, x2: number, y2: number) => {
    const [from, to] = [geometry.centre({ x: x1, y: y1 }), geometry.centre({ x: x2, y: y2 })];
    return s("line", { x1: from.x, y1: from.y, x2: to.x, y2: to.y });
  };
  const [first, last] = [geometry.centre({ x: left, y: top }), geometry.centre({ x: right, y: bottom })];
  const wood = s("rect", {
    class: "wood",
    x: Math.min(first.x, last.x) - SIZE * 0.55,
    y: Math.min(first.y, last.y) - SIZE * 0.55,
    width: Math.abs(last.x - first.x) + SIZE * 1.1,
    height: Math.abs(last.y - first.y) + SIZE * 1.1,
  });
  const dots = cells
    .filter((cell) => isStar(cell.x - left, cell.y - top, right - left + 1, bottom - top + 1))
    .map((cell) => {
      const { x, y } = geometry.centre(cell);
      return s("circle", { cx: x, cy: y, r: 4.5 });
    });
  return [
    wood,
    ...[...new Set(xs)].map((x) => line(x, top, x, bottom)),
    ...[...new Set(ys)].map((y) => line(left, y, right, y)),
    ...dots,
  ];
}

/** The squares on which nothing ever stands, where the others are all of one colour. */
function unused({ cells, layout }: View, geometry: Geometry): SVGElement[] {
  const parities = new Set(cells.map((cell) => (cell.x + cell.y) % 2));
  if (layout !== "square" || parities.size > 1 || cells.length < 8) return [];
  const [xs, ys] = [cells.map((cell) => cell.x), cells.map((cell) => cell.y)];
  const squares: SVGElement[] = [];
  for (let y = Math.min(...ys); y <= Math.max(...ys); y++)
    for (let x = Math.min(...xs); x <= Math.max(...xs); x++)
      if (!parities.has((x + y) % 2))
        squares.push(s("polygon", { class: "unused", points: geometry.outline({ x, y }) }));
  return squares;
}

/** Everything under the cells themselves. */
export function under(ground: Ground, view: View, geometry: Geometry): SVGElement {
  const parts =
    ground === "lines"
      ? lines(view, geometry)
      : ground === "holes"
        ? view.cells.map((cell) => {
            const { x, y } = geometry.centre(cell);
            return s("circle", { class: "hole", cx: x, cy: y, r: 24 });
          })
        : unused(view, geometry);
  return s("g", { class: "ground", "aria-hidden": "true" }, ...parts);
}
