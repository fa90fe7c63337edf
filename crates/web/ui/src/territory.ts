// Who has surrounded what at the end of a game of Go, counted as the rules of the server count it: stones on the board live.

import type { Position, View } from "./api";

const isGo = (game: string) => /^go:/.test(game);

/** The owner of every empty point that only stones of one role surround. */
export function territory(game: string, view: View): Map<number, number> {
  const owners = new Map<number, number>();
  if (!isGo(game)) return owners;
  const at = new Map(view.cells.map((cell, index) => [`${cell.x},${cell.y}`, index]));
  const beside = (index: number) => {
    const { x, y } = view.cells[index]!;
    const places = [
      [x + 1, y],
      [x - 1, y],
      [x, y + 1],
      [x, y - 1],
    ];
    return places.map((place) => at.get(place.join())).filter((other) => other !== undefined);
  };
  const seen = new Set<number>();
  view.cells.forEach((cell, start) => {
    if (cell.piece !== null || seen.has(start)) return;
    const region = [start];
    const touched = new Set<number | null>();
    seen.add(start);
    for (const index of region)
      for (const other of beside(index)) {
        const { piece } = view.cells[other]!;
        if (piece !== null) touched.add(view.pieces[piece]!.role);
        else if (!seen.has(other)) {
          seen.add(other);
          region.push(other);
        }
      }
    const [owner] = touched;
    if (touched.size === 1 && owner !== null && owner !== undefined)
      region.forEach((index) => owners.set(index, owner));
  });
  return owners;
}

/** The points of both sides at the end of a game of Go; nothing for other games. */
export function points({ game, view, roles }: Position): string {
  if (!isGo(game)) return "";
  const area = roles.map(
    (_, role) => view.cells.filter((cell) => cell.piece !== null && view.pieces[cell.piece]!.role === role).length,
  );
  for (const owner of territory(game, view).values()) area[owner]! += 1;
  const komi = Number(/komi=(-?[\d.]+)/.exec(game)?.[1] ?? 7.5);
  return `${roles[0]} ${area[0]} points, ${roles[1]} ${area[1]! + komi} (${area[1]} and ${komi} komi).`;
}
