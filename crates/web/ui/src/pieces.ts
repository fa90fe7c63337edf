// Pieces as drawings: no font need have them.

import type { Piece } from "./api";
import { s } from "./dom";
import type { Point } from "./geometry";

/** Shapes around the origin, for pieces whose name has the word. */
const SHAPES: [word: string, path: string][] = [
  ["pawn", "M0-19a8 8 0 0 1 5 14.200c3 3 4 9 6 13.800h4v9h-30v-9h4c2-4.800 3-10.800 6-13.800a8 8 0 0 1 5-14.200z"],
  ["knight", "M-13 18v-6c0-8 8-10 8-17-3 3-6 5-10 4l-2-5c5-3 6-8 11-11l1-5 4 4c9 1 14 9 14 19 0 7-2 11-2 17z"],
  ["vertical domino", "M-17-30h34v60h-34z"],
  ["horizontal domino", "M-30-17h60v34h-60z"],
];

/** The words for colours that pieces have in their names. */
const COLOURS = ["white", "black", "red", "blue", "green", "yellow"];

function colour(piece: Piece): string {
  const name = piece.name.toLowerCase();
  const word = COLOURS.find((word) => name.includes(word));
  if (word) return word;
  return piece.role === null ? "neutral" : `role${piece.role % 4}`;
}

/** Whether a disc in its colour says everything. */
const isPlain = (piece: Piece) =>
  COLOURS.some((word) => [word, `${word} stone`, `${word} disc`].includes(piece.name.toLowerCase()));

/** A piece with its centre at a point. */
export function drawing(piece: Piece, { x, y }: Point): SVGElement {
  const shape = SHAPES.find(([word]) => piece.name.toLowerCase().includes(word))?.[1];
  const group = s("g", { class: `piece ${colour(piece)}`, transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` });
  if (shape) group.append(s("path", { d: shape }));
  else if (isPlain(piece)) group.append(s("circle", { r: 21 }));
  else group.append(s("circle", { r: 21 }), s("text", { y: 8, "text-anchor": "middle" }, piece.glyph));
  return group;
}
