// The rules of the games that are part of the program, in a paragraph each. Rulesheets tell theirs in their headers.

const RULES: Record<string, string> = {
  atarigo:
    "Black and white take turns to place a stone on an empty point. A chain of stones with no empty point beside it is captured, and whoever captures first wins.",
  breakthrough:
    "A pawn goes one step forward, straight or diagonally, and captures diagonally. Whoever reaches the far rank with a pawn, or captures all pawns of the other side, wins.",
  domineering:
    "The players take turns to place a domino on two free cells: one player only upright, the other only flat. Whoever cannot move loses.",
  go: "Black and white take turns to place a stone on an empty point, or pass. A chain of stones with no empty point beside it is captured. Suicide is forbidden, and a stone that has just captured a single stone may not be retaken at once (ko). Two passes end the game. Each side then scores one point for every stone it has on the board and for every empty point that only its own stones surround; white adds the komi. All stones on the board count as alive, so capture dead stones before you pass.",
  havannah:
    "The players take turns to place a stone on a free cell. Whoever first completes a ring around at least one cell, a bridge between two corners, or a fork between three sides wins. A corner belongs to no side.",
  knightthrough:
    "Every piece moves like a knight in chess, but only forward, and captures an enemy on the square where it lands. Whoever reaches the far rank wins.",
  nogo: "Black and white take turns to place a stone on an empty point. Captures and suicide are illegal: every chain of stones must keep an empty point beside it. Whoever cannot move loses.",
};

/** The rules of a game in a paragraph; `null` if somebody else tells them. */
export function rulesOf(game: string): string | null {
  const name = game.split(":")[0]!.replace(/^misere-/, "");
  const text = RULES[name];
  if (text === undefined) return null;
  return game.startsWith("misere-") ? `${text} Played to lose: whoever would win by these rules loses.` : text;
}
