// Positions without a board: cards in hands, heaps, numbers. What a rulesheet says is drawn by its shape: several facts of a
// role are its cards, a number of a name that moves can leave smaller is a heap, everything else is a line of words.

import type { Legal, Position } from "./api";
import { h } from "./dom";
import { leaves } from "./notation";
import { colourOf } from "./pieces";
import { facts, lines, type Fact } from "./told";

/** Heaps larger than this are told as a number. */
const MAX_HEAP = 30;

/** What a position without a board shows; `role` is the one whose moves can be made. */
export function hand(
  position: Position,
  role: number | null,
  legal: Legal[],
  play: (move: Legal) => void,
): HTMLElement[] {
  const { view, roles } = position;
  const all = view.notes.flatMap(facts);
  const names = [...new Set(all.map((fact) => fact.name))];
  const parts: HTMLElement[] = [];
  const shown = new Set<string>();
  for (const name of names) {
    const own = all.filter((fact) => fact.name === name);
    const part = cards(own, roles, role, legal, play) ?? heaps(own, legal, play);
    if (!part) continue;
    shown.add(name);
    parts.push(h("section", { class: "hand" }, h("h3", {}, name), part));
  }
  const rest = lines({
    ...view,
    notes: view.notes.filter((note) => !facts(note).some((fact) => shown.has(fact.name))),
  });
  return [
    ...parts,
    ...rest.map((line) => {
      const [name = "", value] = line.split(/: (.*)/);
      return h("p", { class: "fact" }, h("span", {}, name), value === undefined ? null : h("b", {}, value));
    }),
  ];
}

const byNumber = (a: string, b: string) => Number(a) - Number(b) || a.localeCompare(b);

/** Facts of a role and a value, several of a role: cards, and those that can be played are buttons. */
function cards(
  own: Fact[],
  roles: string[],
  mover: number | null,
  legal: Legal[],
  play: (move: Legal) => void,
): HTMLElement | null {
  const isHand = own.every((fact) => fact.args.length === 2 && roles.includes(fact.args[0]!));
  if (!isHand || own.length < 3 || own.length <= roles.length) return null;
  const row = (role: string) => {
    const values = own.filter((fact) => fact.args[0] === role).map((fact) => fact.args[1]!);
    const card = (value: string) => {
      const move = legal.find(({ name }) => leaves(name).length === 2 && leaves(name)[1] === value);
      return move && roles.indexOf(role) === mover
        ? h("button", { type: "button", class: "card", "data-move": move.name, onclick: () => play(move) }, value)
        : h("span", { class: "card" }, value);
    };
    return h(
      "li",
      {},
      h("span", { class: `who-plays ${colourOf(role, roles.indexOf(role))}` }, role),
      h("span", { class: "cards-in-hand" }, ...values.sort(byNumber).map(card)),
    );
  };
  return h("ul", { class: "hands" }, ...roles.map(row));
}

/** Numbers that a move can leave smaller: a click on a token leaves those before it. */
function heaps(own: Fact[], legal: Legal[], play: (move: Legal) => void): HTMLElement | null {
  const isHeap = own.every(
    (fact) => fact.args.length === 2 && /^\d+$/.test(fact.args[1]!) && Number(fact.args[1]) <= MAX_HEAP,
  );
  const moves = (key: string) => legal.filter(({ name }) => leaves(name).length === 3 && leaves(name)[1] === key);
  const isPlayed = own.some((fact) => moves(fact.args[0]!).length > 0);
  const isKnown = own.some((fact) => /heap|pile|stack/i.test(fact.name));
  if (!isHeap || !(isPlayed || isKnown) || own.length === 0) return null;
  const row = (fact: Fact) => {
    const [key, size] = fact.args as [string, string];
    const token = (number: number) => {
      const move = moves(key).find(({ name }) => leaves(name)[2] === String(number));
      return move
        ? h("button", {
            type: "button",
            class: "token",
            "data-move": move.name,
            "aria-label": `leave ${number} in ${key}`,
            title: `leave ${number} in ${key}`,
            onclick: () => play(move),
          })
        : h("span", { class: "token" });
    };
    return h(
      "li",
      {},
      h("span", { class: "who-plays" }, `${key} (${size})`),
      ...Array.from({ length: Number(size) }, (_, n) => token(n)),
    );
  };
  return h("ul", { class: "hands" }, ...[...own].sort((a, b) => byNumber(a.args[0]!, b.args[0]!)).map(row));
}
