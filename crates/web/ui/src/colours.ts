// The colour of a role: the same on the board, in charts and in text.

import { h } from "./dom";
import { colourOf } from "./pieces";

/** The colour of a line or a dot that stands for a role. */
export const roleColour = (role: string, number: number): string => `var(--of-${colourOf(role, number)})`;

/** A role's name behind a dot of its colour. */
export function roleName(role: string, number: number): HTMLElement {
  const dot = h("span", { class: "dot", "aria-hidden": "true" });
  dot.style.setProperty("--colour", roleColour(role, number));
  return h("span", { class: "role" }, dot, role);
}
