// The chances over the game, as the engines see them.

import { chart, type Series } from "../chart";
import { h, percent } from "../dom";
import type { Opinion } from "../match";
import type { MakePanel } from "./panel";

/** The chances over the game: the first role's where there are two, else everybody's own. */
function curves(opinions: Map<number, Opinion>, roles: string[]): Series[] {
  const value = (opinion: Opinion) => {
    const best = opinion.thought.arms.find((arm) => arm.move === opinion.move) ?? opinion.thought.arms[0];
    return opinion.thought.proven ?? best?.score ?? null;
  };
  const known = [...opinions]
    .map(([step, opinion]) => ({ step, role: opinion.role, score: value(opinion) }))
    .filter((entry) => entry.score !== null)
    .sort((a, b) => a.step - b.step);
  if (roles.length === 2)
    return [
      {
        name: roles[0]!,
        points: known.map(({ step, role, score }) => ({ x: step, y: role === 0 ? score! : 1 - score! })),
      },
    ];
  return roles
    .map((name, role) => ({
      name,
      points: known.filter((entry) => entry.role === role).map(({ step, score }) => ({ x: step, y: score! })),
    }))
    .filter((series) => series.points.length > 0);
}

export const chances: MakePanel = (look) => {
  const title = "Chances over the game";
  const element = h("div", {});
  return {
    title,
    element,
    show(match) {
      const { roles } = match.position;
      const series = curves(match.opinions, roles);
      if (!series.some((line) => line.points.length > 0)) {
        element.replaceChildren(h("p", { class: "quiet" }, "Grows with every move of an engine."));
        return;
      }
      const about = `Chance of ${roles[0]} as the engines see it. Click to go there.`;
      element.replaceChildren(
        chart(series, { label: title, range: [0, 1], format: percent, cursor: match.cursor, pick: look }),
        roles.length === 2 ? h("p", { class: "quiet" }, about) : "",
      );
    },
  };
};
