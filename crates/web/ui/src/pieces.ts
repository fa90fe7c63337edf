// Pieces as drawings: no font need have them.

import type { View } from "./api";
import { s } from "./dom";
import type { Point } from "./geometry";
import { NO_HINTS, type Hints } from "./source";

/** Shapes around the origin, for pieces whose name has the word. */
const SHAPES: [word: string, path: string][] = [
  ["pawn", "M0-19a8 8 0 0 1 5 14.200c3 3 4 9 6 13.800h4v9h-30v-9h4c2-4.800 3-10.800 6-13.800a8 8 0 0 1 5-14.200z"],
  ["knight", "M-13 18v-6c0-8 8-10 8-17-3 3-6 5-10 4l-2-5c5-3 6-8 11-11l1-5 4 4c9 1 14 9 14 19 0 7-2 11-2 17z"],
  ["bishop", "M-13 18v-5h7c-5-5-7-10-5-15 2-5 6-8 8-12a4 4 0 1 1 6 0c2 4 6 7 8 12 2 5 0 10-5 15h7v5z"],
  ["rook", "M-13 18v-6h3l2-16h-4v-12h6v4h4v-4h4v4h4v-4h6v12h-4l2 16h3v6z"],
  ["queen", "M-14 18v-5l-4-22 8 9 2-15 8 13 8-13 2 15 8-9-4 22v5z"],
  ["king", "M-13 18v-5c-5-6-7-16 1-18 5-1 9 2 10 6v-12h-4v-4h4v-5h4v5h4v4h-4v12c1-4 5-7 10-6 8 2 6 12 1 18v5z"],
  ["vertical", "M-17-30h34v60h-34z"],
  ["horizontal", "M-30-17h60v34h-60z"],
  ["block", "M-24-24h48v48h-48z"],
  ["arrow", "M-24-24h48v48h-48z"],
];

/** What is drawn with a pen: crosses and rings. */
const CROSS = "M-15-15L15 15M15-15L-15 15";
const RING = "M-16 0a16 16 0 1 0 32 0a16 16 0 1 0-32 0";
const STROKES = new Map([
  ["x", CROSS],
  ["cross", CROSS],
  ["o", RING],
  ["nought", RING],
]);

/** A crown on a disc: a king of draughts. */
const CROWN = "M-10 7l-3-14 7 5 6-8 6 8 7-5-3 14z";

/** The words for colours that pieces and roles have in their names. */
export const COLOURS = ["white", "black", "red", "blue", "green", "yellow"];

/** The colour of a name, or of the role with a number. */
export function colourOf(name: string, role: number | null): string {
  const word = COLOURS.find((word) =>
    name
      .toLowerCase()
      .split(/[^a-z]+/)
      .includes(word),
  );
  if (word) return word;
  return role === null ? "neutral" : `role${role % 4}`;
}

/** Words after which a disc in its colour says everything. */
const PLAIN = [...COLOURS, "stone", "disc", "peg", "light", "dark"];

const has = (name: string, word: string) => new RegExp(`(^|[^a-z])${word}`, "i").test(name);

/** How the pieces of a view look. */
export class Pieces {
  private readonly isDraughts: boolean;

  constructor(
    private readonly view: View,
    private readonly hints: Hints = NO_HINTS,
  ) {
    // Where there are men, a king is a man with a crown.
    this.isDraughts = view.pieces.some((piece) => has(piece.name, "man\\b"));
  }

  /** The colour of the piece with a name. */
  private colour(name: string | undefined): string {
    const piece = this.view.pieces.find((piece) => piece.name === name);
    return piece ? colourOf(piece.name, piece.role) : "neutral";
  }

  /** A piece with its centre at a point. One without a colour has that of what else stands there. */
  draw(number: number, { x, y }: Point, other?: string): SVGElement {
    const piece = this.view.pieces[number]!;
    const name = (this.hints.pieces.get(piece.name.toLowerCase()) ?? piece.name).toLowerCase();
    const words = name.split(/[^a-z]+/);
    const colours = [colourOf(piece.name, null), colourOf(name, piece.role), this.colour(other)];
    const colour = colours.find((colour) => colour !== "neutral") ?? "neutral";
    const group = s("g", { class: `piece ${colour}`, transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` });
    const stroke = words.length === 1 ? STROKES.get(words[0]!) : undefined;
    const shape = this.isDraughts ? undefined : SHAPES.find(([word]) => has(name, word))?.[1];
    const disc = s("circle", { r: 22 });
    if (stroke) {
      group.classList.add("stroke");
      group.append(s("path", { d: stroke }));
    } else if (shape) group.append(s("path", { d: shape }));
    else if (words.every((word) => PLAIN.includes(word))) group.append(disc);
    else if (this.isDraughts || words.includes("checker"))
      group.append(
        disc,
        has(name, "king") ? s("path", { d: CROWN, class: "crown" }) : s("circle", { r: 15, class: "ring" }),
      );
    else group.append(disc, s("text", { y: 8, "text-anchor": "middle" }, piece.glyph));
    return group;
  }
}
