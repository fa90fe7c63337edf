// The chances over the game, as the engines see them, and the moves that changed them.

import { chart, type Series } from "../chart";
import { roleColour } from "../colours";
import { h, percent } from "../dom";
import { chance, chances as known, judge, turningPoint } from "../judge";
import type { Match } from "../match";
import type { MakePanel } from "./panel";

/** The chances over the game: the first role's where there are two, else everybody's own. */
function curves(match: Match): Series[] {
  const { roles } = match.position;
  const colour = (role: number) => roleColour(roles[role]!, role);
  if (roles.length <= 2) {
    const points = [...known(match)].sort(([a], [b]) => a - b).map(([x, y]) => ({ x, y }));
    return [{ name: roles[0]!, points, colour: colour(0) }];
  }
  const own = (role: number) =>
    [...match.opinions]
      .filter(([, opinion]) => opinion.role === role)
      .map(([x, opinion]) => ({ x, y: chance(opinion) ?? 0.5 }))
      .sort((a, b) => a.x - b.x);
  return roles
    .map((name, role) => ({ name, points: own(role), colour: colour(role) }))
    .filter((series) => series.points.length > 0);
}

export const chances: MakePanel = (act) => {
  const title = "Chances over the game";
  const element = h("div", {});
  return {
    title,
    element,
    show(match) {
      const { roles } = match.position;
      const series = curves(match);
      if (!series.some((line) => line.points.length > 0)) {
        const how = "Each move of an engine adds a point. Analyse game adds one for every move.";
        element.replaceChildren(h("p", { class: "quiet" }, how));
        return;
      }
      const verdicts = [...judge(match).values()];
      const flags = verdicts.map(({ step, kind, text }) => ({ x: step, kind, text }));
      const pick = (step: number) => act((match) => match.look(step));
      const turn = turningPoint(match);
      const item = (step: number, text: string, kind: string) =>
        h("li", { class: kind }, h("button", { type: "button", class: "quiet show", onclick: () => pick(step) }, text));
      const about = `Chance of ${roles[0]} according to the engines. Click the chart to go to a move.`;
      element.replaceChildren(
        chart(series, { label: title, range: [0, 1], format: percent, cursor: match.cursor, pick, flags }),
        roles.length === 2 ? h("p", { class: "quiet" }, about) : "",
        h(
          "ul",
          { class: "verdicts" },
          ...(turn === null || match.line[turn - 1] === undefined
            ? []
            : [item(turn, `Turning point: step ${turn}, ${match.notation.step(match.line[turn - 1]!.move)}`, "turn")]),
          ...verdicts
            .sort((a, b) => b.lost - a.lost)
            .slice(0, 6)
            .map(({ step, kind, text }) => item(step, `Step ${step}: ${text}`, kind)),
        ),
      );
    },
  };
};
