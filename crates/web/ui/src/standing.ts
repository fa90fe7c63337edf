// Where a game stands, in words.

import type { Match } from "./match";

export function standing(match: Match): string {
  const { roles } = match.position;
  const last = match.moves[match.cursor - 1];
  const before = last === undefined ? "" : `${last} was played. `;
  if (!match.isAtEnd) return `${before}Step ${match.cursor} of ${match.moves.length}.`;
  if (match.scores) {
    const gaveUp = match.resigned === null ? "" : `${roles[match.resigned]} resigned. `;
    return `${before}${gaveUp}${result(match.scores, roles)}`;
  }
  if (match.person !== null) {
    const how = match.position.view.cells.length > 0 ? "click on the board, or choose from the list" : "choose a move";
    return `${before}${roles[match.person]} to move: ${how}.`;
  }
  const role = match.position.deciders[0];
  if (role === undefined) return before;
  return match.isPaused ? `${before}${roles[role]} to move: paused.` : `${before}${roles[role]} is thinking.`;
}

/** Who has won, in words. */
function result(scores: number[], roles: string[]): string {
  const best = Math.max(...scores);
  const winners = roles.filter((_, role) => scores[role] === best);
  const points = scores.every((score) => score === 0 || score === 1)
    ? ""
    : ` (${roles.map((role, place) => `${role} ${Math.round(scores[place]! * 100)}`).join(", ")})`;
  if (roles.length === 1) return `The game is over with ${Math.round(best * 100)} of 100 points.`;
  return winners.length === roles.length
    ? `The game is a draw${points}.`
    : `${winners.join(" and ")} ${winners.length === 1 ? "wins" : "win"}${points}.`;
}
