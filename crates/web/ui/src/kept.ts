// The last games, kept by the browser with their variations and what was thought about them: a reload loses nothing.

import type { SavedNode } from "./tree";

const KEY = "ludens.games";

/** The oldest are forgotten beyond this number. */
const MAX_GAMES = 6;

export interface Kept {
  /** Which game it is, among several of the same name. */
  id: string;
  game: string;
  tree: SavedNode[];
}

function all(): Kept[] {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "[]") as Kept[];
  } catch {
    return [];
  }
}

/** Whether a tree has a line of moves from its start. */
function has(tree: SavedNode[], moves: string[]): boolean {
  let at = 0;
  return moves.every((move) => {
    at = tree.findIndex((node) => node.parent === at && node.move === move);
    return at > 0;
  });
}

/** What is known of a game that began with these moves. */
export function keptGame(game: string, moves: string[]): Kept | null {
  if (moves.length === 0) return null;
  return all().findLast((kept) => kept.game === game && has(kept.tree, moves)) ?? null;
}

export function keepGame(game: Kept): void {
  let games = [...all().filter((kept) => kept.id !== game.id), game].slice(-MAX_GAMES);
  // A browser that has no room for all of them keeps the latest.
  for (; games.length > 0; games = games.slice(1)) {
    try {
      localStorage.setItem(KEY, JSON.stringify(games));
      return;
    } catch {
      continue;
    }
  }
}
