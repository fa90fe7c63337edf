// A look at every move of a game, in the background: the game can be stepped through meanwhile.

import { position as askPosition, think } from "./api";
import { h, reason } from "./dom";
import type { Match } from "./match";

/** How many positions are looked at at the same time. */
const AT_ONCE = 2;

export class Analysis {
  readonly element = h("div", { class: "analysis", role: "status", hidden: true });
  private abort: AbortController | null = null;

  constructor(
    private readonly match: Match,
    /** Somebody has thought about a position. */
    private readonly changed: () => void,
  ) {}

  get isRunning(): boolean {
    return this.abort !== null;
  }

  stop(): void {
    this.abort?.abort();
    this.abort = null;
    this.element.hidden = true;
  }

  /** Lets a player think about all positions of the line that is shown, so long about each. */
  async run(player: string, budget: string): Promise<void> {
    this.stop();
    const abort = new AbortController();
    this.abort = abort;
    const { match } = this;
    const { game } = match.position;
    const nodes = [match.root, ...match.line];
    const steps = match.moves;
    const bar = h("progress", { max: nodes.length, value: 0, "aria-label": "Positions analysed" });
    const stop = h("button", { type: "button", onclick: () => this.stop() }, "Stop the analysis");
    this.element.replaceChildren("The game is being analysed. ", bar, stop);
    this.element.hidden = false;
    let [next, done] = [0, 0];
    const work = async () => {
      while (next < nodes.length && !abort.signal.aborted) {
        const step = next++;
        const node = nodes[step]!;
        const position = await askPosition(game, steps.slice(0, step));
        const role = position.deciders[0];
        if (role !== undefined && position.scores === null && node.opinion?.player !== player) {
          const question = { game, moves: position.moves, role, player, budget, seed: 1, table: null };
          const { move, thought, cut } = await think(question, {}, abort.signal);
          node.opinion = { role, player, move, thought, cut, history: [] };
        }
        done += 1;
        bar.setAttribute("value", String(done));
        this.changed();
      }
    };
    try {
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      if (abort.signal.aborted) return;
      this.stop();
      match.keep();
    } catch (error) {
      if (abort.signal.aborted) return;
      this.abort = null;
      abort.abort();
      const close = h("button", { type: "button", onclick: () => this.stop() }, "Close");
      this.element.replaceChildren(h("span", { class: "error" }, `The analysis has stopped: ${reason(error)} `), close);
    }
  }
}
