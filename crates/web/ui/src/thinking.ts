// What a player thinks, in numbers: sorted bars, the line of play that it expects, its pace, and what its playout policy has
// learned.

import { chart, type Series } from "./chart";
import { grouped, h, percent } from "./dom";
import type { Opinion } from "./tree";

/** How moves are told, and what happens when somebody wants to see them on the board. */
export interface Telling {
  tell(move: string): string;
  /** Plays moves out; none where they cannot be. */
  follow?(moves: string[]): void;
}

/** Rows beyond this number are only counted. */
const MAX_ROWS = 10;

/** Curves beyond this number would hide each other. */
const MAX_CURVES = 6;

function bars(opinion: Opinion, { tell, follow }: Telling): HTMLElement {
  const { arms } = opinion.thought;
  const most = Math.max(1, arms[0]?.visits ?? 1);
  const row = (arm: (typeof arms)[number]) =>
    h(
      "tr",
      { class: arm.move === opinion.move ? "chosen" : "", "data-move": arm.move },
      h("th", { scope: "row" }, shown(tell(arm.move), follow && (() => follow([arm.move])))),
      h("td", { class: "bar" }, meter(arm.visits / most)),
      h("td", { class: "number" }, grouped(arm.visits)),
      h("td", { class: "number" }, arm.score === null ? "–" : percent(arm.score)),
    );
  const rest = arms.length > MAX_ROWS ? h("caption", {}, `and ${arms.length - MAX_ROWS} more moves`) : null;
  const head = h(
    "thead",
    {},
    h("tr", {}, h("th", {}, "move"), h("th", { colspan: 2 }, "visits"), h("th", {}, "score")),
  );
  return h("table", { class: "bars" }, rest, head, h("tbody", {}, ...arms.slice(0, MAX_ROWS).map(row)));
}

/** A move as text, or as a button that shows it on the board. */
function shown(text: string, onclick?: () => void): HTMLElement | string {
  return onclick
    ? h("button", { type: "button", class: "quiet show", title: "Show on the board", onclick }, text)
    : text;
}

function line(opinion: Opinion, { tell, follow }: Telling): HTMLElement {
  const moves = opinion.thought.line.slice(0, 12);
  if (moves.length === 0) return h("p", { class: "line" }, "–");
  const item = (move: string, place: number) => shown(tell(move), follow && (() => follow(moves.slice(0, place + 1))));
  return h("p", { class: "line" }, ...moves.flatMap((move, place) => [item(move, place), " "]));
}

function meter(share: number): HTMLElement {
  const element = h("span", { class: "meter" });
  element.style.setProperty("--share", share.toFixed(3));
  return element;
}

function weights(opinion: Opinion, { tell }: Telling): HTMLElement {
  const list = opinion.thought.policy;
  if (list.length === 0)
    return h(
      "p",
      { class: "quiet" },
      "This player's playouts keep no weight per move. Choose a policy that learns, such as ppa.",
    );
  const shown = list.slice(0, MAX_CURVES);
  const digits = list[0]!.value - list[list.length - 1]!.value < 0.05 ? 4 : 2;
  const written = (weight: { move: string; value: number }) => `${tell(weight.move)} ${weight.value.toFixed(digits)}`;
  const series: Series[] = shown.map((weight) => ({
    name: written(weight),
    points: opinion.history
      .filter((entry) => entry.weights.has(weight.move))
      .map((entry) => ({ x: entry.simulations, y: entry.weights.get(weight.move)! })),
  }));
  const hasHistory = series.some((line) => line.points.length > 0);
  const worst = list.length > MAX_CURVES ? `Least liked: ${list.slice(-3).reverse().map(written).join(", ")}.` : "";
  return h(
    "div",
    {},
    hasHistory
      ? chart(series, {
          label: "Weights of the moves that playouts like best, over the search",
          format: (value) => value.toFixed(digits),
        })
      : h("p", {}, `Most liked: ${shown.map(written).join(", ")}.`),
    h("p", { class: "quiet" }, worst),
  );
}

function figures(opinion: Opinion): HTMLElement {
  const { thought } = opinion;
  const entries: [string, string][] = [
    ["simulations", grouped(thought.simulations)],
    ["per second", grouped(thought.simulations_per_s)],
    ["time", `${thought.seconds.toFixed(2)} s`],
    ["nodes", grouped(thought.nodes)],
    ["memory", `${(thought.bytes / 2 ** 20).toFixed(1)} MiB`],
  ];
  if (opinion.cut !== null) entries.push(["ended early", opinion.cut]);
  if (thought.proven !== null) entries.push(["proven", percent(thought.proven)]);
  return h(
    "dl",
    { class: "figures" },
    ...entries.flatMap(([name, value]) => [h("dt", {}, name), h("dd", { "data-figure": name }, value)]),
  );
}

/** Which policies `auto` plays with here, and how the role fares with them. */
function playouts(opinion: Opinion): HTMLElement[] {
  const used = opinion.thought.playouts;
  if (used.length === 0) return [];
  const row = ({ policy, share, score }: (typeof used)[number]): HTMLElement =>
    h(
      "li",
      {},
      `${policy}: ${percent(share)} of the playouts${score === null ? "" : `, mean score ${score.toFixed(3)}`}`,
    );
  return [h("h3", {}, "Playout policies used here"), h("ul", { "data-playouts": "" }, ...used.map(row))];
}

/** Everything about an opinion. */
export function thinkingPanel(opinion: Opinion, telling: Telling): HTMLElement[] {
  return [
    figures(opinion),
    bars(opinion, telling),
    h("h3", {}, "Expected line"),
    line(opinion, telling),
    ...playouts(opinion),
    h("h3", {}, "What the playouts have learned"),
    weights(opinion, telling),
  ];
}
