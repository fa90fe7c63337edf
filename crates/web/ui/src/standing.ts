// Where a game stands, in words.

import type { Match } from "./match";
import { points } from "./territory";
import { verb } from "./words";

export function standing(match: Match): string {
  const { roles } = match.position;
  const last = match.position.moves[match.cursor - 1];
  const before = last === undefined ? "" : `${match.notation.step(last)} was played. `;
  if (!match.isAtEnd) return `${before}Step ${match.cursor} of ${match.line.length}.`;
  if (match.scores) {
    const how = match.lost === null ? "" : `${roles[match.lost.role]} ${match.lost.how}. `;
    const counted = match.lost === null ? points(match.position) : "";
    return `${before}${how}${result(match.scores, roles)}${counted && ` ${counted}`}`;
  }
  const pending = match.pending
    .map(
      ({ role, move }) => `${roles[role]} ${verb(roles[role]!, "has", "have")} chosen ${match.notation.tell(move)}. `,
    )
    .join("");
  if (match.person !== null) {
    const how = match.position.view.cells.length > 0 ? "click on the board, or choose from the list" : "choose a move";
    return `${before}${pending && match.position.deciders.length > 1 ? "The first move is taken. " : ""}${roles[match.person]} to move: ${how}.`;
  }
  const role = match.thinking?.role ?? match.position.deciders[0];
  if (role === undefined) return before;
  const doing = match.isPaused ? "to move: paused" : `${verb(roles[role]!, "is", "are")} thinking`;
  return `${pending || before}${roles[role]} ${doing}.`;
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
    : `${winners.join(" and ")} ${winners.length === 1 ? verb(winners[0]!, "wins", "win") : "win"}${points}.`;
}
