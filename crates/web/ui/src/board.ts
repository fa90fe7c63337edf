// The board: draws a position, turns clicks and keys into moves, carries an overlay.

import type { Legal, Position, Thought } from "./api";
import { withColumns } from "./columns";
import { h, s } from "./dom";
import { Geometry, SIZE } from "./geometry";
import { draw, marks, type OverlayKind } from "./overlay";
import { drawing } from "./pieces";

export interface BoardOptions {
  /** A person has made a move on the board. */
  play?(name: string): void;
  label: string;
}

export class Board {
  readonly element = h("div", { class: "board" });
  private geometry: Geometry | null = null;
  private cells: SVGElement[] = [];
  private overlay: SVGElement = s("g");
  private readonly chooser = h("div", { class: "chooser", role: "group", "aria-label": "Moves for these cells" });
  private legal: Legal[] = [];
  private isOpen = false;
  private picked: number[] = [];
  private focused = 0;
  private signature = "";

  constructor(private readonly options: BoardOptions) {}

  /** Shows a position. `legal` are the moves that the overlay speaks of; they can be played if `isOpen`. */
  show(position: Position, legal: Legal[], isOpen: boolean): void {
    this.legal = withColumns(legal, position.view);
    this.isOpen = isOpen;
    this.picked = [];
    // Drawing again what is there already would take the focus from a cell.
    const signature = JSON.stringify([position.view, legal, isOpen]);
    if (signature === this.signature) {
      this.highlight();
      return;
    }
    this.signature = signature;
    const hadFocus = this.element.contains(document.activeElement) && document.activeElement instanceof SVGElement;
    this.geometry = new Geometry(position.view);
    this.overlay = s("g", { class: "overlay" });
    this.cells = [];
    const view = position.view;
    const parts: Element[] = view.cells.length > 0 ? [this.picture(position)] : [];
    if (view.notes.length > 0) parts.push(h("ul", { class: "notes" }, ...view.notes.map((note) => h("li", {}, note))));
    this.element.replaceChildren(...parts, this.chooser);
    this.highlight();
    if (hadFocus) this.cells[this.focused]?.focus();
  }

  /** Draws what a thought says about the moves of the position; nothing without one. */
  mark(thought: Thought | null, kind: OverlayKind): void {
    if (this.geometry) draw(this.overlay, this.geometry, this.legal, thought ? marks(thought, kind) : []);
  }

  private picture(position: Position): SVGElement {
    const geometry = this.geometry!;
    const { view } = position;
    const box = geometry.box();
    const svg = s("svg", {
      viewBox: `${box.x} ${box.y} ${box.width} ${box.height}`,
      role: "group",
      "aria-label": this.options.label,
      class: view.layout,
    });
    if (this.focused >= view.cells.length) this.focused = 0;
    const figures = s("g", { class: "pieces" });
    view.cells.forEach((cell, index) => {
      const piece = cell.piece === null ? null : view.pieces[cell.piece]!;
      const shade = view.layout === "square" && (cell.x + cell.y) % 2 !== 0 ? " dark" : "";
      const element = s(
        "g",
        {
          class: `cell${shade}${cell.marked ? " marked" : ""}`,
          role: "button",
          tabindex: index === this.focused ? 0 : -1,
          "data-cell": cell.name,
          "aria-label": `${cell.name}, ${piece?.name ?? "empty"}${cell.marked ? ", last move" : ""}`,
          onclick: () => this.click(index),
          onkeydown: (event) => this.key(event as KeyboardEvent, index),
          onfocus: () => this.focus(index),
        },
        s("polygon", { points: geometry.outline(cell) }),
        s("title", {}, `${cell.name}${piece ? `: ${piece.name}` : ""}`),
      );
      this.cells.push(element);
      svg.append(element);
      if (piece) figures.append(drawing(piece, geometry.centre(cell)));
    });
    const left = Math.min(...view.cells.map((cell) => cell.x));
    const bottom = Math.max(...view.cells.map((cell) => cell.y));
    const labels = view.labels.map((label) => {
      const { x, y } = geometry.centre(label);
      const isBeside = view.layout === "square" && label.x < left;
      const isBelow = view.layout === "square" && label.y > bottom;
      return s(
        "text",
        {
          x: isBeside ? x + SIZE * 0.38 : x,
          y: isBelow ? y - SIZE * 0.2 : y + 6,
          "text-anchor": isBeside ? "end" : "middle",
          class: "label",
        },
        label.text,
      );
    });
    svg.append(figures, this.overlay, ...labels);
    return svg;
  }

  /** Moves that begin with the cells that were picked, and more. */
  private candidates(picked: number[]): Legal[] {
    if (!this.isOpen) return [];
    return this.legal.filter(
      (move) => move.cells.length >= picked.length && picked.every((cell, place) => move.cells[place] === cell),
    );
  }

  private click(cell: number): void {
    const again = this.picked[this.picked.length - 1] === cell;
    const picked = again ? this.picked : [...this.picked, cell];
    const candidates = this.candidates(picked);
    if (candidates.length === 0) {
      // Another piece may be meant.
      this.picked = this.picked.length > 0 && this.candidates([cell]).length > 0 ? [cell] : [];
      this.highlight();
      return;
    }
    const complete = candidates.filter((move) => move.cells.length === picked.length);
    const isPlacing = picked.length === 1 && this.geometry!.view.cells[cell]!.piece === null;
    const isOnly = candidates.length === 1 && (complete.length === 1 || isPlacing);
    if (isOnly || (again && complete.length === 1)) {
      this.make(candidates.length === 1 ? candidates[0]! : complete[0]!);
      return;
    }
    // The same cell again that is the beginning of nothing more lets it go.
    this.picked = again && complete.length === 0 ? [] : picked;
    this.highlight();
  }

  /** Makes a move, and no other until the next position. */
  private make(move: Legal): void {
    this.picked = [];
    this.isOpen = false;
    this.highlight();
    this.options.play?.(move.name);
  }

  private key(event: KeyboardEvent, cell: number): void {
    if (event.key === "Enter" || event.key === " ") {
      this.click(cell);
    } else if (event.key === "Escape") {
      this.picked = [];
      this.highlight();
    } else {
      const next = this.geometry?.neighbour(cell, event.key) ?? null;
      if (next === null) return;
      this.cells[next]?.focus();
    }
    event.preventDefault();
    event.stopPropagation();
  }

  private focus(cell: number): void {
    this.cells[this.focused]?.setAttribute("tabindex", "-1");
    this.cells[cell]?.setAttribute("tabindex", "0");
    this.focused = cell;
  }

  /** Shows what is picked and where a hand can go on; several moves of the same cells are asked about. */
  private highlight(): void {
    const candidates = this.candidates(this.picked);
    const next = new Set(candidates.map((move) => move.cells[this.picked.length]));
    this.cells.forEach((element, cell) => {
      element.classList.toggle("picked", this.picked.includes(cell));
      element.classList.toggle("next", next.has(cell));
      element.setAttribute("aria-pressed", String(this.picked.includes(cell)));
    });
    const complete =
      this.picked.length > 0 ? candidates.filter((move) => move.cells.length === this.picked.length) : [];
    const buttons =
      complete.length > 1
        ? complete.map((move) => h("button", { type: "button", onclick: () => this.make(move) }, move.name))
        : [];
    this.chooser.replaceChildren(...buttons);
  }
}
