// What a position has beside its board, in words.

import type { View } from "./api";
import { h } from "./dom";
import { leaves, place } from "./notation";

export interface Fact {
  name: string;
  args: string[];
}

/** The facts in a note of a rulesheet; none in other sentences. */
export function facts(note: string): Fact[] {
  const found = [...note.matchAll(/\(([^()]*(?:\([^()]*\)[^()]*)*)\)/g)].map(([, inside = ""]) => leaves(inside));
  return note.startsWith("(") ? found.map(([name = "", ...args]) => ({ name, args })) : [];
}

/** Facts that the page tells in another way: whose turn it is, and how many steps were played. */
const HIDDEN = ["control", "turn", "clock", "step"];

/** Whether a note explains letters that the page does not use. */
const isLegend = (note: string, view: View) =>
  note.split(", ").every((part) => view.pieces.some((piece) => part.slice(2) === piece.name && part[1] === " "));

const words = (text: string) => text.replace(/[-_]+/g, " ");

/** What a fact says of a cell of the board; nothing of others. */
function onCell({ args }: Fact, view: View): { cell: string; what: string } | null {
  const cell = args.slice(0, 2).join(" ");
  const isCell = args.length > 2 && view.cells.some(({ name }) => name === cell);
  return isCell ? { cell, what: args.slice(2).map(words).join(" ") } : null;
}

/** What stands on cells beside the pieces that are drawn there, by cell. */
export function othersOn(view: View): Map<string, string> {
  const found = view.notes.flatMap(facts).map((fact) => onCell(fact, view));
  return new Map(found.flatMap((other) => (other ? [[other.cell, other.what]] : [])));
}

/** The notes of a view as lines for people. */
export function lines(view: View): string[] {
  return view.notes
    .filter((note) => !isLegend(note, view))
    .flatMap((note) => {
      const list = facts(note);
      if (list.length === 0) return HIDDEN.includes(note) ? [] : [note];
      const shown = list.filter((fact) => !HIDDEN.includes(fact.name));
      const placed = shown.map((fact) => onCell(fact, view)).filter((other) => other !== null);
      if (placed.length > 0) return placed.map(({ cell, what }) => `${place(cell)}: ${what}`);
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
