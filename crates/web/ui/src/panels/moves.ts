// The moves played, with the variations that were tried beside them.

import { h } from "../dom";
import { judge, type Verdict } from "../judge";
import type { Match } from "../match";
import type { Node } from "../tree";
import type { MakePanel } from "./panel";

/** Shows the current move in its list. The page itself stays where it is: the board is what people look at. */
function scrollToCurrent(element: HTMLElement): void {
  const current = element.querySelector("[aria-current]")?.getBoundingClientRect();
  const list = element.getBoundingClientRect();
  if (current && current.top < list.top) element.scrollTop -= list.top - current.top;
  if (current && current.bottom > list.bottom) element.scrollTop += current.bottom - list.bottom;
}

/** What stands behind a move that was judged. */
const SIGNS: Record<Verdict["kind"], string> = { blunder: "??", mistake: "?", turn: "!" };

/** The line that the engine would have played instead of a move. */
function expected(match: Match, node: Node): string {
  const line = node.parent?.opinion?.thought.line ?? [];
  return line.length > 0
    ? `Best line: ${line
        .slice(0, 6)
        .map((move) => match.notation.tell(move))
        .join(" ")}`
    : "";
}

export const moves: MakePanel = (act) => {
  const list = h("ol", { class: "moves", "aria-label": "Moves played" });
  const others = h("div", { class: "variations" });
  const button = (match: Match, node: Node, verdict?: Verdict) => {
    const isCurrent = node === match.here;
    return h(
      "button",
      {
        type: "button",
        "aria-current": isCurrent ? "step" : false,
        class: verdict ? verdict.kind : "",
        title: [verdict?.text, expected(match, node)].filter(Boolean).join("\n") || false,
        onclick: () => act((match) => match.visit(node)),
      },
      match.notation.step(node.move) + (verdict ? SIGNS[verdict.kind] : ""),
    );
  };
  /** A variation from its first move to its end; those within it are told with it. */
  const variation = (match: Match, first: Node): HTMLElement => {
    const nodes: Node[] = [];
    for (let node: Node | undefined = first; node; node = node.children[0]) nodes.push(node);
    const inner = nodes.flatMap((node) => node.children.slice(1));
    return h(
      "li",
      {},
      `${first.line.length}. `,
      ...nodes.flatMap((node) => [button(match, node), " "]),
      inner.length > 0 ? h("ul", {}, ...inner.map((node) => variation(match, node))) : null,
    );
  };
  return {
    title: "Moves",
    element: h("div", {}, list, others),
    show(match, what) {
      if (what !== "position") return;
      const { line } = match;
      const verdicts = judge(match);
      list.replaceChildren(...line.map((node, step) => h("li", {}, button(match, node, verdicts.get(step + 1)))));
      const shown = new Set(line);
      const branches = [match.root, ...line].flatMap((node) => node.children.filter((child) => !shown.has(child)));
      others.replaceChildren(
        ...(branches.length > 0
          ? [h("h3", {}, "Variations"), h("ul", { class: "tree" }, ...branches.map((node) => variation(match, node)))]
          : []),
      );
      scrollToCurrent(list);
    },
  };
};
