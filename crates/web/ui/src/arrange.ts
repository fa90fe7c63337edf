// Several boards in a row as a square of boards, so that each is large enough to click on.

import type { View } from "./api";

interface Frame {
  left: number;
  top: number;
}

/** The part of a cell's name that says on which board it lies: all but its column and row. */
const boardOf = (name: string) => name.split(" ").slice(0, -2).join(" ");

/** The view with three or more boards in a row put below each other. */
export function arranged(view: View): View {
  const frames = new Map<string, Frame>();
  for (const { name, x, y } of view.cells) {
    const board = boardOf(name);
    const { left, top } = frames.get(board) ?? { left: x, top: y };
    frames.set(board, { left: Math.min(left, x), top: Math.min(top, y) });
  }
  const boards = [...frames].sort(([, a], [, b]) => a.left - b.left);
  const isRow = boards.every(([, { top }]) => top === boards[0]![1].top);
  if (view.layout !== "square" || boards.length < 3 || !isRow) return view;
  const inLine = Math.ceil(Math.sqrt(boards.length));
  const ys = [...view.cells, ...view.labels].map(({ y }) => y);
  const height = Math.max(...ys) - Math.min(...ys) + 1;
  const shift = (number: number) => {
    const column = number % inLine;
    const dx = boards[column]![1].left - boards[number]![1].left;
    return { dx, dy: Math.floor(number / inLine) * height };
  };
  const moved = <Placed extends { x: number; y: number }>(placed: Placed, number: number): Placed => {
    const { dx, dy } = shift(number);
    return { ...placed, x: placed.x + dx, y: placed.y + dy };
  };
  const names = boards.map(([name]) => name);
  return {
    ...view,
    cells: view.cells.map((cell) => moved(cell, names.indexOf(boardOf(cell.name)))),
    // Names of rows stand at the left of their board.
    labels: view.labels.map((label) =>
      moved(
        label,
        Math.max(
          0,
          boards.findLastIndex(([, { left }]) => left - 1 <= label.x),
        ),
      ),
    ),
  };
}
