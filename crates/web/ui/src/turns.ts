// Turns of a quarter of the board, such as Pentago's: arrows on the quarters.

import type { Legal } from "./api";
import { h, s } from "./dom";
import type { Geometry } from "./geometry";
import { leaves } from "./notation";

const CORNERS: Record<string, [x: number, y: number]> = {
  "upper-left": [0, 0],
  "upper-right": [1, 0],
  "lower-left": [0, 1],
  "lower-right": [1, 1],
};

interface Turn {
  move: Legal;
  corner: [number, number];
  isClockwise: boolean;
}

/** What a move turns, if it turns something. */
function turnOf(move: Legal): Turn | null {
  const words = leaves(move.name);
  const corner = words.map((word) => CORNERS[word]).find((corner) => corner !== undefined);
  const isClockwise = words.includes("clockwise");
  if (!corner || (!isClockwise && !words.includes("counterclockwise"))) return null;
  return { move, corner, isClockwise };
}

/** Arrows for the moves that turn a quarter. */
export function arrows(
  legal: Legal[],
  geometry: Geometry,
  tell: (name: string) => string,
  play: (move: Legal) => void,
): SVGElement[] {
  const turns = legal.map(turnOf).filter((turn) => turn !== null);
  if (turns.length === 0) return [];
  const { x, y, width, height } = geometry.bounds();
  return turns.map(({ move, corner: [right, down], isClockwise }) => {
    const half = (far: number) => 0.25 + 0.5 * (geometry.isTurned ? 1 - far : far);
    const [cx, cy] = [x + width * half(right), y + height * half(down)];
    const side = isClockwise ? 1 : -1;
    const onkeydown = (event: Event) => {
      const { key } = event as KeyboardEvent;
      if (key === "Enter" || key === " ") play(move);
    };
    return s(
      "g",
      {
        class: "turn",
        role: "button",
        tabindex: 0,
        "data-move": move.name,
        "aria-label": tell(move.name),
        transform: `translate(${cx} ${cy}) scale(${side} 1)`,
        onclick: () => play(move),
        onkeydown,
      },
      s("path", { class: "reach", d: "M6-60A60 60 0 0 1 60-6L84-6 42 40 0-6 24-6A24 24 0 0 0 6-24z" }),
      s("title", {}, tell(move.name)),
    );
  });
}

/** Whether any move turns something. */
export const hasTurns = (legal: Legal[]): boolean => legal.some((move) => turnOf(move) !== null);

/** A line that tells what the arrows are for. */
export const turnHelp = (): HTMLElement => h("p", { class: "quiet" }, "Click an arrow to turn that quarter.");
