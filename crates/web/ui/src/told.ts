// What a position has beside its board, in words.

import type { View } from "./api";
import { h } from "./dom";
import { leaves } from "./notation";

export interface Fact {
  name: string;
  args: string[];
}

/** The facts in a note of a rulesheet; none in other sentences. */
export function facts(note: string): Fact[] {
  const found = [...note.matchAll(/\(([^()]*(?:\([^()]*\)[^()]*)*)\)/g)].map(([, inside = ""]) => leaves(inside));
  return note.startsWith("(") ? found.map(([name = "", ...args]) => ({ name, args })) : [];
}

/** Facts that the page tells in another way: whose turn it is. */
const HIDDEN = ["control", "turn"];

/** Whether a note explains letters that the page does not use. */
const isLegend = (note: string, view: View) =>
  note.split(", ").every((part) => view.pieces.some((piece) => part.slice(2) === piece.name && part[1] === " "));

const words = (text: string) => text.replace(/[-_]+/g, " ");

/** The notes of a view as lines for people. */
export function lines(view: View): string[] {
  return view.notes
    .filter((note) => !isLegend(note, view))
    .flatMap((note) => {
      const list = facts(note);
      if (list.length === 0) return HIDDEN.includes(note) ? [] : [note];
      const shown = list.filter((fact) => !HIDDEN.includes(fact.name));
      const names = [...new Set(shown.map((fact) => fact.name))];
      return names.map(
        (name) =>
          `${words(name)}: ${shown
            .filter((fact) => fact.name === name)
            .map((fact) => fact.args.map(words).join(" "))
            .join(", ")}`,
      );
    });
}

export function told(view: View): HTMLElement[] {
  const list = lines(view);
  return list.length > 0 ? [h("ul", { class: "notes" }, ...list.map((line) => h("li", {}, line)))] : [];
}
