// The rules of the game in a paragraph, and the sheet that they come from.

import { h } from "../dom";
import { rulesOf } from "../rules";
import { header, sourceOf } from "../source";
import type { MakePanel } from "./panel";

export const rules: MakePanel = () => {
  const element = h("div", { class: "rules" });
  let shown = "";
  return {
    title: "Rules",
    element,
    show(match) {
      const { game } = match.position;
      if (game === shown) return;
      shown = game;
      element.replaceChildren(h("p", {}, rulesOf(game) ?? ""));
      void sourceOf(game).then((text) => {
        if (text === null || shown !== game) return;
        const [title = "", ...paragraphs] = header(text);
        element.replaceChildren(
          h("p", { class: "who" }, title),
          ...paragraphs.slice(0, 1).map((paragraph) => h("p", {}, paragraph)),
          h("details", {}, h("summary", {}, "Rulesheet"), h("pre", { class: "sheet", tabindex: 0 }, text)),
          h("p", {}, h("a", { href: `#/write?game=${encodeURIComponent(game)}` }, "Change these rules")),
        );
      });
    },
  };
};
