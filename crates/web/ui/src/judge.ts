// What the engine's opinions say about the moves that were played: where chances were given away, and where they turned.

import { percent } from "./dom";
import type { Match } from "./match";
import type { Opinion } from "./tree";
import { verb } from "./words";

/** Chances given away by a move: so much is a blunder, so much a mistake. */
const BLUNDER = 0.25;
const MISTAKE = 0.12;

/** An opinion of fewer simulations judges nobody, unless it is proven. */
const MIN_SIMULATIONS = 100;

export interface Verdict {
  kind: "blunder" | "mistake" | "turn";
  /** The step that is judged: 1 is the first. */
  step: number;
  lost: number;
  text: string;
}

/** The chance of the role that thought: what is proven, or else the mean over the search. The best move alone would flatter. */
export function chance({ thought }: Opinion): number | null {
  const visits = thought.arms.reduce((sum, arm) => sum + arm.visits, 0);
  const won = thought.arms.reduce((sum, arm) => sum + arm.visits * (arm.score ?? 0), 0);
  return thought.proven ?? (visits > 0 ? won / visits : null);
}

/** The chance of the first role at every step of a line about which somebody has thought. */
export function chances(match: Match): Map<number, number> {
  const { roles } = match.position;
  const known = new Map<number, number>();
  if (roles.length > 2) return known;
  for (const [step, opinion] of match.opinions) {
    const score = chance(opinion);
    if (score !== null) known.set(step, opinion.role === 0 ? score : 1 - score);
  }
  const end = match.line.at(-1)?.scores;
  if (end && known.size > 0) known.set(match.line.length, end[0]!);
  return known;
}

/** Whether somebody has looked long enough. What nobody has looked at is the end of the game. */
const isSure = (opinion: Opinion | undefined) =>
  opinion === undefined || opinion.thought.proven !== null || opinion.thought.simulations >= MIN_SIMULATIONS;

/** The moves that gave chances away, by step, and the one at which the game turned: what was lost there was never won back. */
export function judge(match: Match): Map<number, Verdict> {
  const known = chances(match);
  const found = new Map<number, Verdict>();
  const { roles } = match.position;
  const opinions = match.opinions;
  for (let step = 1; step <= match.line.length; step++) {
    const [before, after] = [known.get(step - 1), known.get(step)];
    const mover = opinions.get(step - 1)?.role;
    if (before === undefined || after === undefined || mover === undefined) continue;
    if (!isSure(opinions.get(step - 1)) || !isSure(opinions.get(step))) continue;
    const lost = mover === 0 ? before - after : after - before;
    const best = opinions.get(step - 1)?.thought.arms[0]?.move;
    const move = match.line[step - 1]!.move;
    if (lost < MISTAKE || best === move) continue;
    const kind = lost >= BLUNDER ? "blunder" : "mistake";
    const better = best === undefined ? "" : `; better ${match.notation.tell(best)}`;
    const told = `${match.notation.step(move)}: ${roles[mover]} ${verb(roles[mover]!, "gives", "give")} away ${percent(lost)}${better}`;
    found.set(step, { kind, step, lost, text: told });
  }
  return found;
}

/** The step after which one side stayed ahead to the end of the game, if everything is known. */
export function turningPoint(match: Match): number | null {
  if (!match.line.at(-1)?.scores) return null;
  const known = [...chances(match)].sort(([a], [b]) => a - b);
  if (known.length < Math.max(3, match.line.length)) return null;
  const side = (value: number) => Math.sign(value - 0.5);
  const last = side(known[known.length - 1]![1]);
  const changed = known.findLast(([, value]) => side(value) !== last);
  return changed === undefined || last === 0 ? null : changed[0] + 1;
}
