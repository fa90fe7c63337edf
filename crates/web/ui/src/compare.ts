// Two players on the same position, side by side.

import { think, type Choices, type Position, type Thought } from "./api";
import { Board } from "./board";
import { h, reason } from "./dom";
import type { OverlayKind } from "./overlay";
import { PlayerForm } from "./player_form";
import type { Match } from "./match";
import { playerOf } from "./levels";
import { thinkingPanel } from "./thinking";
import type { Opinion } from "./tree";

/** Who is compared unless somebody else is wanted: what learning adds to plain search. */
const PAIR = ["uct", "uct+ppa"];

class Side {
  readonly element: HTMLElement;
  readonly board = new Board({ label: "Board of the comparison" });
  private readonly panel = h("div", { class: "thinking", "aria-live": "off" });
  private opinion: Opinion | null = null;

  constructor(
    public player: string,
    choices: Choices,
    changed: () => void,
  ) {
    const form = new PlayerForm({ role: "Player", seat: player, choices, withPeople: false }, (seat) => {
      this.player = seat;
      changed();
    });
    this.element = h("div", { class: "side" }, this.board.element, form.element, this.panel);
  }

  draw(overlay: OverlayKind): void {
    this.board.mark(this.opinion?.thought ?? null, overlay);
  }

  async run(position: Position, budget: string, overlay: () => OverlayKind, signal: AbortSignal): Promise<void> {
    const role = position.deciders[0];
    if (role === undefined) return;
    this.board.show(position, role, false);
    const history: Opinion["history"] = [];
    const note = (thought: Thought, move: string | null = null, cut: string | null = null) => {
      history.push({
        simulations: thought.simulations,
        weights: new Map(thought.policy.map((weight) => [weight.move, weight.value])),
      });
      this.opinion = { role, player: this.player, move, thought, cut, history };
      this.panel.replaceChildren(...thinkingPanel(this.opinion, { tell: (move) => this.board.notation.tell(move) }));
      this.draw(overlay());
    };
    this.panel.replaceChildren(h("p", { class: "quiet" }, "waits for its turn …"));
    try {
      const question = {
        game: position.game,
        moves: position.moves,
        role,
        ...playerOf(this.player, budget),
        seed: 1,
        table: null,
      };
      const { move, thought, cut } = await think(question, { report: (thought) => note(thought) }, signal);
      note(thought, move, cut);
    } catch (error) {
      if (!signal.aborted) this.panel.replaceChildren(h("p", { class: "error" }, reason(error)));
    }
  }
}

export class Comparison {
  readonly element: HTMLElement;
  private readonly sides: Side[];
  private abort = new AbortController();
  private shown: { position: Position; budget: string } | null = null;

  constructor(
    choices: Choices,
    private readonly overlay: () => OverlayKind,
  ) {
    this.sides = PAIR.map((player) => new Side(player, choices, () => this.again()));
    const close = h("button", { type: "button", onclick: () => this.close() }, "Close the comparison");
    this.element = h(
      "section",
      { class: "panel comparison", "aria-labelledby": "comparison-title", hidden: true },
      h("h2", { id: "comparison-title" }, "The same position, two players"),
      h("div", { class: "sides" }, ...this.sides.map((side) => side.element)),
      close,
    );
  }

  /** Lets both think about a position. */
  show({ position, budget, notation }: Match, { hints, isFlipped }: Board): void {
    this.shown = { position, budget };
    this.element.hidden = false;
    for (const { board } of this.sides) Object.assign(board, { hints, isFlipped, notation });
    this.again();
    // Both boards are seen at once, whatever else there is.
    this.element.scrollIntoView({ block: "start" });
  }

  close(): void {
    this.abort.abort();
    this.shown = null;
    this.element.hidden = true;
  }

  draw(): void {
    this.sides.forEach((side) => side.draw(this.overlay()));
  }

  private again(): void {
    this.abort.abort();
    this.abort = new AbortController();
    const { signal } = this.abort;
    if (this.shown)
      for (const side of this.sides) void side.run(this.shown.position, this.shown.budget, this.overlay, signal);
  }
}
