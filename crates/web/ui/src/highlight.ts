// The colours of a rulesheet: comments, keywords, variables.

import { h } from "./dom";

const KEYWORDS = [
  "<=",
  "role",
  "init",
  "base",
  "input",
  "true",
  "does",
  "next",
  "legal",
  "goal",
  "terminal",
  "not",
  "or",
  "distinct",
  "sees",
  "random",
];

const PART = /(?<comment>;[^\n]*)|(?<variable>\?[^\s()]+)|(?<paren>[()])|(?<word>[^\s();?]+)/g;

/** The text in pieces, each in its colour. */
export function highlighted(text: string): (HTMLElement | string)[] {
  const parts: (HTMLElement | string)[] = [];
  let end = 0;
  for (const match of text.matchAll(PART)) {
    const { comment, variable, word } = match.groups ?? {};
    const kind = comment
      ? "comment"
      : variable
        ? "variable"
        : word && KEYWORDS.includes(word.toLowerCase())
          ? "keyword"
          : "";
    if (kind === "") continue;
    parts.push(text.slice(end, match.index), h("span", { class: kind }, match[0]));
    end = match.index + match[0].length;
  }
  parts.push(text.slice(end));
  return parts;
}
