// Clocks for people: so many minutes for the game, and some seconds more for every move. Whose time is up has lost.

import { h } from "./dom";
import { roleName } from "./colours";
import type { Match } from "./match";
import type { Node } from "./tree";

/** Minutes and seconds, by what is chosen. */
const SETTINGS: Record<string, [minutes: number, seconds: number]> = {
  "no clock": [0, 0],
  "1 min + 2 s": [1, 2],
  "5 min + 3 s": [5, 3],
  "10 min + 5 s": [10, 5],
  "30 min": [30, 0],
};

const TICK = 200;

const written = (ms: number) => {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
};

export class Clock {
  readonly element = h("div", { class: "clocks", hidden: true });
  readonly choice: HTMLElement;
  private left: number[] = [];
  private running: number | null = null;
  private last = 0;
  private steps = -1;
  private setting = "no clock";
  /** The game that the clocks are for. */
  private root: Node | null = null;

  constructor(private readonly match: Match) {
    const select = h(
      "select",
      {
        "aria-label": "Clock",
        onchange: () => {
          this.setting = select.value;
          this.reset();
        },
      },
      ...Object.keys(SETTINGS).map((name) => h("option", {}, name)),
    );
    this.choice = h("label", { class: "budget" }, "Clock", select);
    setInterval(() => this.tick(), TICK);
  }

  /** Everybody has all the time again. */
  private reset(): void {
    const [minutes] = SETTINGS[this.setting]!;
    this.element.hidden = minutes === 0;
    this.left = this.match.position?.roles.map(() => minutes * 60_000) ?? [];
    this.steps = this.match.position?.moves.length ?? -1;
    this.root = this.match.root;
    this.hear();
  }

  /** Something has happened in the game. */
  hear(): void {
    const { match } = this;
    if (this.element.hidden) return;
    if (this.root !== match.root) {
      this.running = null;
      this.reset();
      return;
    }
    this.tick();
    const steps = match.cursor;
    if (steps === this.steps + 1 && this.running !== null)
      this.left[this.running]! += SETTINGS[this.setting]![1] * 1000;
    this.steps = steps;
    const isGoing = match.isAtEnd && !match.isOver && !match.isPaused && steps > 0;
    this.running = isGoing ? (match.person ?? match.thinking?.role ?? null) : null;
    this.last = performance.now();
    this.draw();
  }

  private tick(): void {
    if (this.running === null || this.element.hidden) return;
    const now = performance.now();
    this.left[this.running]! -= now - this.last;
    this.last = now;
    this.draw();
    if (this.left[this.running]! > 0) return;
    const role = this.running;
    this.running = null;
    this.match.lose(role, "ran out of time");
  }

  private draw(): void {
    this.element.replaceChildren(
      ...this.match.position.roles.map((role, number) =>
        h(
          "span",
          { class: number === this.running ? "clock running" : "clock" },
          roleName(role, number),
          " ",
          h("time", {}, written(this.left[number] ?? 0)),
        ),
      ),
    );
  }
}
