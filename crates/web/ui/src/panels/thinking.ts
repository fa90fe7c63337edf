// What the engine thinks, or has thought.

import { h } from "../dom";
import { titleOf } from "../levels";
import type { Match } from "../match";
import { thinkingPanel } from "../thinking";
import { verb } from "../words";
import type { MakePanel } from "./panel";

/** Who thinks or has thought, in a sentence. */
function title(match: Match): string {
  const { roles } = match.position;
  const busy = match.thinking;
  if (busy) {
    const searches = busy.ahead === 1 ? "search comes" : "searches come";
    const waits = busy.ahead > 0 ? ` (${busy.ahead} ${searches} first)` : "";
    const role = roles[busy.role]!;
    return `${role} ${verb(role, "is", "are")} thinking${waits} …`;
  }
  const { opinion } = match;
  if (!opinion) return "No engine has thought yet. Play a move, or ask for a hint.";
  const about =
    match.here.opinion !== null
      ? "about this position"
      : `before ${opinion.move === null ? "its move" : match.notation.tell(opinion.move)}`;
  return `${roles[opinion.role]} thought ${about}: ${titleOf(opinion.player)}`;
}

export const thinking: MakePanel = (act) => {
  const element = h("div", { class: "thinking" });
  return {
    title: "What the engine thinks",
    element,
    show(match) {
      const { opinion } = match;
      const isHere = match.here.opinion !== null && match.position.movers.length === 1 && match.thinking === null;
      const telling = {
        tell: (move: string) => match.notation.tell(move),
        ...(isHere ? { follow: (moves: string[]) => act((match) => match.follow(moves)) } : {}),
      };
      element.replaceChildren(
        h("p", { class: match.thinking || opinion ? "who" : "quiet" }, title(match)),
        ...(opinion ? thinkingPanel(opinion, telling) : []),
      );
    },
  };
};
