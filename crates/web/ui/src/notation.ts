// Moves in the words of players: "c4-d5" rather than `(move 3 4 4 5)`.

import type { Legal, View } from "./api";

const WAITING = ["noop", "wait"];

/** The words of an expression, without its parentheses. */
export function leaves(move: string): string[] {
  return move.replace(/[()]/g, " ").split(/\s+/).filter(Boolean);
}

/** The letter of a column that is numbered from 1. */
export function letter(column: string): string {
  const number = Number(column);
  return /^\d+$/.test(column) && number >= 1 && number <= 26 ? String.fromCharCode(96 + number) : column;
}

/** A place as players write it: "b 3" and "2 3" are b3. */
export function place(name: string): string {
  const keys = name.split(" ");
  if (keys.length < 2) return name;
  const [column, row] = keys.slice(-2) as [string, string];
  const board = keys.slice(0, -2).join(",");
  const isWord = column.length > 1 && !/^\d+$/.test(column);
  return `${board && `${board}:`}${letter(column)}${isWord || !/^\d+$/.test(row) ? " " : ""}${row}`;
}

const words = (text: string) => text.replace(/[-_]+/g, " ");

export class Notation {
  private readonly cells = new Set<string>();
  private readonly pieces = new Set<string>();
  private keys = 0;
  /** Names of moves that are needed to tell moves with the same cells apart. */
  private readonly needed = new Set<string>();
  private hasColumns = false;

  /** Learns from a position what its places and pieces are called, and which moves could be confused. */
  learn(view: View, legal: Legal[]): void {
    for (const cell of view.cells) this.cells.add(cell.name);
    for (const piece of view.pieces) piece.name.split(" ").forEach((word) => this.pieces.add(word));
    this.keys = view.cells[0]?.name.split(" ").length ?? 0;
    this.hasColumns = view.layout === "square" && this.keys === 2;
    const seen = new Map<string, string>();
    for (const { name } of legal) {
      const verb = leaves(name)[0] ?? "";
      const other = seen.get(this.tell(name));
      if (other !== undefined && other !== verb) [verb, other].forEach((word) => this.needed.add(word));
      seen.set(this.tell(name), verb);
    }
  }

  /** A step, the moves of all who move in it. */
  step(text: string): string {
    return text
      .split(" / ")
      .map((move) => this.tell(move))
      .join(" / ");
  }

  tell(move: string): string {
    if (WAITING.includes(move)) return "pass";
    if (!move.startsWith("(")) return this.cells.has(move) || !/^[a-z]+(-[a-z]+)+$/i.test(move) ? move : words(move);
    const [verb = "", ...rest] = leaves(move);
    const places: string[] = [];
    const before: string[] = [];
    const after: string[] = [];
    for (let at = 0; at < rest.length; ) {
      const name = rest.slice(at, at + this.keys).join(" ");
      if (this.keys > 1 && this.cells.has(name)) {
        places.push(place(name));
        at += this.keys;
      } else {
        (places.length > 0 ? after : before).push(rest[at]!);
        at += 1;
      }
    }
    if (places.length === 0) {
      const column = this.hasColumns && rest.length === 1 ? letter(rest[0]!) : null;
      return [words(verb), ...(column === null ? rest.map(words) : [column])].join(" ");
    }
    // A piece stands where it stands; there is no need to name it.
    const extra = [...before.filter((word) => !this.pieces.has(word)), ...after].map(words);
    return [...(this.needed.has(verb) ? [words(verb)] : []), places.join("-"), ...extra].join(" ");
  }
}
