// What a panel beside the board is.

import type { Happening, Match } from "../match";

export interface Panel {
  readonly title: string;
  readonly element: HTMLElement;
  /** Shows the game as it is now, after something has happened. */
  show(match: Match, what: Happening): void;
}

/** Makes a panel that can bring the board to a step of the game. */
export type MakePanel = (look: (step: number) => void) => Panel;
