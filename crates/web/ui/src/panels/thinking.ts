// What the engine thinks, or has thought.

import { h } from "../dom";
import type { Match } from "../match";
import { thinkingPanel } from "../thinking";
import type { MakePanel } from "./panel";

/** Who thinks or has thought, in a sentence. */
function title(match: Match): string {
  const { roles } = match.position;
  const busy = match.thinking;
  if (busy) {
    const searches = busy.ahead === 1 ? "search comes" : "searches come";
    const waits = busy.ahead > 0 ? ` (${busy.ahead} ${searches} first)` : "";
    return `${roles[busy.role]} is thinking${waits} …`;
  }
  const { opinion } = match;
  if (!opinion) return "Nobody has thought yet. Play a move, or ask for a hint.";
  const isHere = match.opinions.has(match.cursor);
  const about = isHere ? "about this position" : `before ${opinion.move ?? "its move"}`;
  return `${roles[opinion.role]} thought ${about}: ${opinion.player}`;
}

export const thinking: MakePanel = () => {
  const element = h("div", { class: "thinking" });
  return {
    title: "What the engine thinks",
    element,
    show(match) {
      const { opinion } = match;
      element.replaceChildren(
        h("p", { class: match.thinking || opinion ? "who" : "quiet" }, title(match)),
        ...(opinion ? thinkingPanel(opinion) : []),
      );
    },
  };
};
