// The rules of the games that are part of the program, in a paragraph each. Rulesheets tell theirs in their headers.

const RULES: Record<string, string> = {
  atarigo:
    "Black and white in turn place a stone on an empty point. Stones without a free point beside their chain are captured, and whoever captures first wins.",
  breakthrough:
    "A pawn goes one step forward, straight or diagonally, and captures diagonally. Whoever reaches the last rank with a pawn, or captures all of the other side, wins.",
  domineering:
    "In turn the players put a domino on two free cells, one of them only upright and the other only lying. Whoever cannot move loses.",
  go: "Black and white in turn place a stone on a point, or pass. Chains without free points are captured; suicide is forbidden, and a single stone may not be retaken at once (ko). After two passes everybody counts the own stones and the points that they alone surround; white also gets the komi. All stones on the board count as alive, so capture dead ones before you pass.",
  havannah:
    "In turn the players put a stone on a free cell. Whoever first completes a ring around at least one cell, a bridge between two corners, or a fork between three sides wins. Corners belong to no side.",
  knightthrough:
    "Every piece moves like a knight of chess, but only forward, and captures what stands on its target. Whoever reaches the last rank wins.",
  nogo: "Black and white in turn place a stone, and nobody may capture: a move that would take stones, or that leaves the own ones without a free point, is illegal. Whoever cannot move loses.",
};

/** The rules of a game in a paragraph; `null` if somebody else tells them. */
export function rulesOf(game: string): string | null {
  const name = game.split(":")[0]!.replace(/^misere-/, "");
  const text = RULES[name];
  if (text === undefined) return null;
  return game.startsWith("misere-") ? `${text} Played to lose: whoever would win by these rules loses.` : text;
}
