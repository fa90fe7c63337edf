// A game as a file.

import type { Match } from "./match";
import { save } from "./tree";

/** Everything about the game, as JSON: `moves` and `scores` are written as the records of experiments have them. */
export function json(match: Match): string {
  const { position, moves, seats, budget, seed, lost, scores } = match;
  const thoughts = [...match.opinions]
    .sort(([a], [b]) => a - b)
    .map(([step, opinion]) => {
      const { role, player, move, thought } = opinion;
      const arm = thought.arms.find((arm) => arm.move === move) ?? thought.arms[0];
      return {
        step,
        role: position.roles[role],
        player,
        move,
        score: arm?.score ?? null,
        simulations: thought.simulations,
        line: thought.line,
      };
    });
  const end = lost !== null ? `${position.roles[lost.role]} ${lost.how}` : scores ? "terminal" : "unfinished";
  return (
    JSON.stringify(
      {
        game: position.game,
        roles: position.roles,
        seats,
        budget,
        seed,
        moves,
        scores,
        end,
        thoughts,
        tree: save(match.root),
      },
      null,
      2,
    ) + "\n"
  );
}

interface Style {
  game: string;
  size: number;
  komi: string | null;
  colours: string[];
  point(name: string): string;
}

/** How SGF writes the moves of a game; `null` for games that it does not know. */
function style(game: string): Style | null {
  const [, name = "", size = "", rest = ""] = /^([a-z-]+):(\d+)(?:x\d+)?(.*)$/.exec(game) ?? [];
  const side = Number(size);
  const komi = /komi=(-?[\d.]+)/.exec(rest)?.[1] ?? (name === "go" ? "7.5" : null);
  if (name === "havannah")
    return { game: "havannah", size: side, komi: null, colours: ["W", "B"], point: (move) => move };
  if (["go", "atarigo", "nogo", "misere-nogo"].includes(name))
    return { game: "1", size: side, komi, colours: ["B", "W"], point: (move) => goPoint(move, side) };
  return null;
}

/** The letters of the columns of a Go board: there is no i. */
export const FILES = "abcdefghjklmnopqrstuvwxyz";

/** Columns and rows as letters from the top left; a pass is empty. */
function goPoint(move: string, size: number): string {
  const [, file, rank] = /^([a-z])(\d+)$/.exec(move) ?? [];
  if (!file || !rank) return "";
  return String.fromCharCode(97 + FILES.indexOf(file), 97 + size - Number(rank));
}

const escaped = (text: string) => text.replace(/[\]\\]/g, "\\$&");

/** The game as SGF; `null` if its moves cannot be written so. */
export function sgf(game: string, players: string[], moves: string[]): string | null {
  const known = style(game);
  if (!known) return null;
  const names = known.colours.map((colour, role) => `P${colour}[${escaped(players[role] ?? "")}]`).join("");
  const komi = known.komi === null ? "" : `KM[${known.komi}]`;
  const steps = moves.map((move, step) => `;${known.colours[step % 2]}[${known.point(move)}]`).join("");
  return `(;FF[4]CA[UTF-8]AP[Ludens]GM[${known.game}]SZ[${known.size}]${komi}${names}GN[${escaped(game)}]${steps})\n`;
}
