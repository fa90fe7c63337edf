// The moves played.

import { h } from "../dom";
import type { MakePanel } from "./panel";

/** Shows the current move in its list. The page itself stays where it is: the board is what people look at. */
function scrollToCurrent(element: HTMLElement): void {
  const current = element.querySelector("[aria-current]")?.getBoundingClientRect();
  const list = element.getBoundingClientRect();
  if (current && current.top < list.top) element.scrollTop -= list.top - current.top;
  if (current && current.bottom > list.bottom) element.scrollTop += current.bottom - list.bottom;
}

export const moves: MakePanel = (look) => {
  const element = h("ol", { class: "moves", "aria-label": "Moves played" });
  return {
    title: "Moves",
    element,
    show(match, what) {
      if (what !== "position") return;
      const item = (move: string, step: number) => {
        const isCurrent = step + 1 === match.cursor;
        const onclick = () => look(step + 1);
        return h("li", {}, h("button", { type: "button", "aria-current": isCurrent ? "step" : false, onclick }, move));
      };
      element.replaceChildren(...match.moves.map(item));
      scrollToCurrent(element);
    },
  };
};
