// Saved games: our own JSON, SGF for the Go family and Havannah, and the match records of general game playing.

import { position as askPosition, type Position } from "./api";
import { FILES } from "./record";
import { keptSheets } from "./sheets";
import type { SavedNode } from "./tree";

export interface OpenedGame {
  game: string;
  moves: string[];
  about: string;
  tree: SavedNode[] | null;
}

interface OwnRecord {
  game: string;
  moves: string[];
  tree?: SavedNode[];
}

interface MatchRecord {
  moves: string[][];
  matchId?: string;
  gameName?: string;
  gameMetaURL?: string;
  playerNamesFromHost?: string[];
}

/** Whether a file is a game rather than a rulesheet. */
export const isGame = (file: File): boolean => /\.(json|sgf)$/i.test(file.name);

/** Reads a saved game. A record that does not name its game is one of the game on the board, or of a known one. */
export async function readGame(name: string, text: string, here: string, games: string[]): Promise<OpenedGame> {
  if (/\.sgf$/i.test(name) || text.trimStart().startsWith("(;")) return readSgf(text, name);
  let record: OwnRecord | MatchRecord;
  try {
    record = JSON.parse(text) as OwnRecord | MatchRecord;
  } catch {
    throw new Error(`${name} is neither JSON nor SGF`);
  }
  if (!Array.isArray(record.moves)) throw new Error(`${name} has no list of moves`);
  if ("game" in record && record.moves.every((move) => typeof move === "string"))
    return { game: record.game, moves: record.moves, about: name, tree: record.tree ?? null };
  return readMatch(record as MatchRecord, name, here, games);
}

/** The names of a rulesheet under which a server may know it. */
function named(record: MatchRecord): string {
  const address = record.gameMetaURL?.replace(/\/(v\d+\/?)?$/, "") ?? "";
  return (record.gameName ?? address.split("/").pop() ?? "").toLowerCase();
}

const plain = (move: string) => move.replace(/\(\s+/g, "(").replace(/\s+\)/g, ")").replace(/\s+/g, " ").trim();

/** The joint moves of a record, as steps of one of the games that they fit. */
async function readMatch(record: MatchRecord, name: string, here: string, games: string[]): Promise<OpenedGame> {
  const wanted = named(record);
  const sheets = keptSheets().map((sheet) => sheet.game);
  const alike = games.filter(
    (game) => wanted !== "" && game.replace(/^gdl:/, "").startsWith(wanted.replace(/v\d+$/, "")),
  );
  const trouble: string[] = [];
  for (const game of new Set([...alike, here, ...sheets])) {
    try {
      return { game, moves: await steps(game, record.moves), about: record.matchId ?? name, tree: null };
    } catch (error) {
      trouble.push(error instanceof Error ? error.message : String(error));
    }
  }
  throw new Error(`${name} does not say which game it is. Open that game first. (${trouble[0] ?? "no game fits"})`);
}

/** What a record calls a move and a game of the catalogue calls otherwise is found by the order of roles. */
async function steps(game: string, joints: string[][]): Promise<string[]> {
  let position: Position = await askPosition(game, []);
  for (const joint of joints) {
    const text = position.movers.map((role) => plain(joint[role] ?? "")).join(" / ");
    position = await askPosition(game, [...position.moves, text]);
  }
  return position.moves;
}

/** The value of a property of the first node that has it. */
const property = (text: string, name: string) =>
  new RegExp(`[;\\]\\s]${name}\\[((?:\\\\.|[^\\]\\\\])*)\\]`).exec(text)?.[1];

/** The main line of an SGF: the first branch wherever there are several. */
function mainLine(text: string): string {
  let line = "";
  let depth = 0;
  let closed = Infinity;
  let isValue = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    if (isValue) {
      if (char === "\\") line += depth < closed ? char + (text[++at] ?? "") : (at++, "");
      else if (depth < closed) line += char;
      if (char === "]") isValue = false;
    } else if (char === "(") depth += 1;
    else if (char === ")") closed = Math.min(closed, depth--);
    else {
      if (char === "[") isValue = true;
      if (depth < closed) line += char;
    }
  }
  return line;
}

function readSgf(text: string, name: string): OpenedGame {
  const line = mainLine(text);
  const kind = property(line, "GM") ?? "1";
  const size = Number(property(line, "SZ") ?? 19);
  const players = [property(line, "PB"), property(line, "PW")].filter(Boolean).join(" against ");
  const about = [name, players].filter(Boolean).join(": ");
  const turns = [...line.matchAll(/;\s*([BW])\[([^\]]*)\]/g)].map(([, , point = ""]) => point);
  if (/havannah/i.test(kind))
    return { game: `havannah:${size}`, moves: turns.map((move) => move.toLowerCase()), about, tree: null };
  if (kind !== "1") throw new Error(`${name} is a game of kind ${kind}; SGF is read for Go and Havannah`);
  if (property(line, "AB") || property(line, "AW"))
    throw new Error(`${name} begins with stones on the board, which is not supported`);
  const own = property(line, "GN") ?? "";
  const komi = property(line, "KM");
  const game = /^(atarigo|nogo|misere-nogo):\d/.test(own)
    ? own
    : `go:${size}${komi === undefined ? "" : `,komi=${komi}`}`;
  const point = (code: string) => {
    if (code === "" || (code === "tt" && size <= 19)) return "pass";
    const [file, rank] = [code.charCodeAt(0) - 97, code.charCodeAt(1) - 97];
    return `${FILES[file] ?? "?"}${size - rank}`;
  };
  return { game, moves: turns.map(point), about, tree: null };
}
