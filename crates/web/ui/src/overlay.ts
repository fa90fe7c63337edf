// Numbers of moves on the board: single cells are coloured, moves across cells become arrows.

import type { Legal, Thought } from "./api";
import { percent, s } from "./dom";
import type { Geometry, Point } from "./geometry";

export const OVERLAYS = ["none", "visits", "score", "weights", "amaf"] as const;
export type OverlayKind = (typeof OVERLAYS)[number];

export const OVERLAY_NAMES: Record<OverlayKind, string> = {
  none: "Nothing",
  visits: "Visits",
  score: "Scores",
  weights: "Playout weights",
  amaf: "AMAF",
};

/** What the numbers of a kind are, for somebody who sees them for the first time. */
export const OVERLAY_MEANINGS: Record<OverlayKind, string> = {
  none: "The board alone.",
  visits: "How often the engine has tried each move: the most tried one is played.",
  score: "How well each move did, from 0 % (always lost) to 100 % (always won).",
  weights:
    "The engine tries a move by playing the game to its end many times. This is what these playouts have learned: " +
    "which moves to prefer. Choose a policy that learns, such as ppa.",
  amaf: "All moves as first: the mean score of the playouts in which the move came at any point. Only players with rave or grave record it.",
};

/** A move's number: how strongly it shows (0 to 1), and what is written there. */
interface Mark {
  move: string;
  heat: number;
  text: string;
}

/** Arrows beyond this number would hide each other. */
const MAX_ARROWS = 24;

/** What a thought says about moves in terms of one kind of number. */
export function marks(thought: Thought, kind: OverlayKind): Mark[] {
  switch (kind) {
    case "none":
      return [];
    case "visits": {
      const total = Math.max(
        1,
        thought.arms.reduce((sum, arm) => sum + arm.visits, 0),
      );
      const most = Math.max(1, ...thought.arms.map((arm) => arm.visits));
      return thought.arms
        .filter((arm) => arm.visits > 0)
        .map((arm) => ({
          move: arm.move,
          heat: arm.visits / most,
          text: arm.visits * 50 < most ? "" : percent(arm.visits / total),
        }));
    }
    case "score":
      return scaled(
        thought.arms.map((arm) => [arm.move, arm.score]),
        percent,
      );
    case "amaf":
      return scaled(
        thought.arms.map((arm) => [arm.move, arm.amaf]),
        percent,
      );
    case "weights":
      return scaled(
        thought.policy.map((weight) => [weight.move, weight.value]),
        (value) => value.toFixed(2),
      );
  }
}

/** Numbers from their least, which is cold, to their greatest. */
function scaled(values: [string, number | null][], text: (value: number) => string): Mark[] {
  const known = values.filter((entry): entry is [string, number] => entry[1] !== null);
  const numbers = known.map(([, value]) => value);
  const [least, greatest] = [Math.min(...numbers), Math.max(...numbers)];
  const range = greatest - least || 1;
  return known.map(([move, value]) => ({ move, heat: (value - least) / range, text: text(value) }));
}

function tint(heat: number): string {
  return `color-mix(in oklab, var(--hot) ${Math.round(heat * 100)}%, var(--cold))`;
}

/** Where more cells than this have a number, only the warm ones are written. */
const MAX_NUMBERS = 60;
const MIN_HEAT = 0.25;

/** Draws numbers over the cells of their moves. */
export function draw(
  layer: SVGElement,
  geometry: Geometry,
  legal: Legal[],
  list: Mark[],
  tell: (move: string) => string,
  isRound = false,
): void {
  layer.replaceChildren();
  const cells = new Map(legal.map((move) => [move.name, move.cells]));
  // The hottest come last and lie on top.
  const sorted = list.filter((mark) => cells.get(mark.move)?.length).sort((a, b) => a.heat - b.heat);
  const isCrowded = sorted.length > MAX_NUMBERS;
  const arrows = sorted.filter((mark) => cells.get(mark.move)!.length > 1).slice(-MAX_ARROWS);
  for (const mark of sorted) {
    const touched = cells.get(mark.move)!;
    const places = touched.map((cell) => geometry.view.cells[cell]!);
    if (touched.length === 1) {
      const { x, y } = geometry.centre(places[0]!);
      const look = {
        fill: tint(mark.heat),
        opacity: (0.25 + 0.6 * mark.heat).toFixed(2),
        "data-move": mark.move,
        "data-heat": mark.heat.toFixed(3),
      };
      const title = s("title", {}, `${tell(mark.move)}: ${mark.text}`);
      // Where stones stand on crossings, a square would look like a cell.
      layer.append(
        isRound
          ? s("circle", { cx: x, cy: y, r: 25, ...look }, title)
          : s("polygon", { points: geometry.outline(places[0]!, 0.94), ...look }, title),
      );
      if (!isCrowded || mark.heat >= MIN_HEAT)
        layer.append(s("text", { x, y: y + 5, class: "number", "text-anchor": "middle" }, mark.text));
    } else if (arrows.includes(mark)) {
      layer.append(
        ...arrow(
          places.map((place) => geometry.centre(place)),
          mark,
          tell(mark.move),
        ),
      );
    }
  }
}

function arrow(path: Point[], mark: Mark, told: string): SVGElement[] {
  const [before, last] = [path[path.length - 2]!, path[path.length - 1]!];
  const length = Math.hypot(last.x - before.x, last.y - before.y) || 1;
  const unit = { x: (last.x - before.x) / length, y: (last.y - before.y) / length };
  const width = 2.5 + 8 * mark.heat;
  const neck = { x: last.x - unit.x * (6 + width * 1.4), y: last.y - unit.y * (6 + width * 1.4) };
  const points = [...path.slice(0, -1), neck].map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
  const side = { x: -unit.y * width * 1.1, y: unit.x * width * 1.1 };
  const tip = { x: last.x - unit.x * 6, y: last.y - unit.y * 6 };
  const head = `${tip.x},${tip.y} ${neck.x + side.x},${neck.y + side.y} ${neck.x - side.x},${neck.y - side.y}`;
  const attributes = {
    opacity: (0.3 + 0.6 * mark.heat).toFixed(2),
    "data-move": mark.move,
    "data-heat": mark.heat.toFixed(3),
  };
  const group = s(
    "g",
    attributes,
    s("title", {}, `${told}: ${mark.text}`),
    s("polyline", {
      points,
      fill: "none",
      stroke: tint(mark.heat),
      "stroke-width": width.toFixed(1),
      "stroke-linecap": "round",
    }),
    s("polygon", { points: head, fill: tint(mark.heat) }),
  );
  if (mark.heat < 0.85) return [group];
  return [
    group,
    s(
      "text",
      { x: (before.x + last.x) / 2, y: (before.y + last.y) / 2 + 5, class: "number", "text-anchor": "middle" },
      mark.text,
    ),
  ];
}
