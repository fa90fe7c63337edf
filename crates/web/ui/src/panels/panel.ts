// What a panel beside the board is.

import type { Happening, Match } from "../match";

export interface Panel {
  readonly title: string;
  readonly element: HTMLElement;
  /** Shows the game as it is now, after something has happened. */
  show(match: Match, what: Happening): void;
}

/** Makes a panel. What it does with the game may be refused, and the page tells why. */
export type MakePanel = (act: (action: (match: Match) => Promise<void>) => void) => Panel;
