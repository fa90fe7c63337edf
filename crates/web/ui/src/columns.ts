// Moves that name a column: in games with falling pieces a click anywhere above the pile means them.

import type { Legal, View } from "./api";

/** The moves with, for those that touch no cell and name the label of a column, one entry per empty cell of it: the lowest last. */
export function withColumns(legal: Legal[], view: View): Legal[] {
  const bottom = Math.max(...view.cells.map((cell) => cell.y));
  const column = new Map(view.labels.filter((label) => label.y > bottom).map((label) => [label.text, label.x]));
  return legal.flatMap((move) => {
    const argument = move.cells.length > 0 ? undefined : /^\(\S+ (\S+)\)$/.exec(move.name)?.[1];
    const x = argument === undefined ? undefined : column.get(argument);
    const free = view.cells
      .map((cell, index) => ({ cell, index }))
      .filter(({ cell }) => cell.x === x && cell.piece === null);
    if (free.length === 0) return [move];
    return free.sort((a, b) => a.cell.y - b.cell.y).map(({ index }) => ({ name: move.name, cells: [index] }));
  });
}
