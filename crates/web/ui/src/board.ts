// The board: draws a position, turns clicks, drags and keys into moves, carries an overlay.

import type { Legal, Position, Thought } from "./api";
import { withColumns } from "./columns";
import { h, s } from "./dom";
import { Drag } from "./drag";
import { Geometry, SIZE } from "./geometry";
import { groundOf, under } from "./ground";
import { hand } from "./hand";
import { letter, Notation, place } from "./notation";
import { draw, marks, type OverlayKind } from "./overlay";
import { colourOf, Pieces } from "./pieces";
import { NO_HINTS, type Hints } from "./source";
import { othersOn, told } from "./told";
import { territory } from "./territory";
import { arrows, hasTurns, turnHelp } from "./turns";
import { capital } from "./words";

export interface BoardOptions {
  /** A person has made a move on the board. */
  play?(name: string): void;
  label: string;
}

/** Moves of no cell beyond this number are left to the list of all moves. */
const MAX_ASIDE = 8;

/** How long a piece takes to its target, in milliseconds. */
const STRIDE = 160;

export class Board {
  readonly element = h("div", { class: "board" });
  /** Whether the board is seen from the other side. */
  isFlipped = false;
  hints: Hints = NO_HINTS;
  notation = new Notation();
  private geometry: Geometry | null = null;
  private cells: SVGElement[] = [];
  private figures = new Map<number, SVGElement>();
  private overlay: SVGElement = s("g");
  private readonly chooser = h("div", { class: "chooser", role: "group", "aria-label": "Moves for these cells" });
  private readonly drag: Drag;
  private legal: Legal[] = [];
  private isOpen = false;
  private picked: number[] = [];
  private focused = 0;
  private signature = "";
  private moves: string[] = [];

  constructor(private readonly options: BoardOptions) {
    this.drag = new Drag({
      begin: (cell) => this.begin(cell),
      end: (cell) => this.finish(cell),
    });
  }

  /** Shows a position. The overlay speaks of the moves of a role; they can be played if `isOpen`. */
  show(position: Position, role: number | null, isOpen: boolean): void {
    const { view } = position;
    const legal = role === null ? [] : (position.legal[role] ?? []);
    this.legal = withColumns(legal, view);
    this.isOpen = isOpen;
    this.picked = [];
    // Drawing again what is there already would take the focus from a cell.
    const signature = JSON.stringify([view, legal, isOpen, this.isFlipped, [...this.hints.pieces], this.hints.lines]);
    if (signature === this.signature) {
      this.highlight();
      return;
    }
    this.signature = signature;
    const hadFocus = this.element.contains(document.activeElement) && document.activeElement instanceof SVGElement;
    const before = this.geometry;
    this.geometry = new Geometry(view, this.isFlipped);
    this.overlay = s("g", { class: "overlay" });
    this.cells = [];
    this.figures.clear();
    const parts: Element[] = view.cells.length > 0 ? [this.picture(position)] : [];
    const open = isOpen ? legal : [];
    if (view.cells.length === 0) parts.push(...hand(position, role, open, (move) => this.make(move)));
    else parts.push(this.aside(open), ...told(view));
    if (hasTurns(open)) parts.push(turnHelp());
    this.element.replaceChildren(...parts, this.chooser);
    this.highlight();
    if (before) this.animate(position);
    this.moves = position.moves;
    if (hadFocus) this.cells[this.focused]?.focus();
  }

  /** Draws what a thought says about the moves of the position; nothing without one. */
  mark(thought: Thought | null, kind: OverlayKind): void {
    const tell = (name: string) => this.notation.tell(name);
    if (!this.geometry) return;
    const isRound = groundOf(this.geometry.view, this.hints) !== "squares" && this.geometry.view.layout === "square";
    draw(this.overlay, this.geometry, this.legal, thought ? marks(thought, kind) : [], tell, isRound);
  }

  private picture(position: Position): SVGElement {
    const geometry = this.geometry!;
    const { view } = position;
    const ground = groundOf(view, this.hints);
    const box = geometry.box();
    const svg = s("svg", {
      viewBox: `${box.x} ${box.y} ${box.width} ${box.height}`,
      role: "group",
      "aria-label": this.options.label,
      class: `${view.layout} ${ground}`,
    });
    if (this.focused >= view.cells.length) this.focused = 0;
    const pieces = new Pieces(view, this.hints);
    const figures = s("g", { class: "pieces" });
    const signs = s("g", { class: "signs", "aria-hidden": "true" });
    const isDark = ({ x, y }: { x: number; y: number }) => (x + y) % 2 !== 0;
    // Where only every other square is played on, those are the dark ones.
    const hasBoth = view.cells.some(isDark) && !view.cells.every(isDark);
    const beneath = othersOn(view);
    svg.append(under(ground, view, geometry));
    view.cells.forEach((cell, index) => {
      const piece = cell.piece === null ? null : view.pieces[cell.piece]!;
      const shade = ground === "squares" && (isDark(cell) || !hasBoth) ? " dark" : "";
      const title = `${place(cell.name)}${piece ? `: ${piece.name}` : ""}`;
      const element = s(
        "g",
        {
          class: `cell${shade}${cell.marked ? " marked" : ""}`,
          role: "button",
          tabindex: index === this.focused ? 0 : -1,
          "data-cell": cell.name,
          "aria-label": `${place(cell.name)}, ${piece?.name ?? "empty"}${cell.marked ? ", last move" : ""}`,
          // A click is no reason to take the arrow keys from the steps of the game.
          onmousedown: (event) => event.preventDefault(),
          onclick: () => this.click(index),
          onkeydown: (event) => this.key(event as KeyboardEvent, index),
          onfocus: () => this.focus(index),
          onpointerdown: (event) => this.drag.press(event as PointerEvent, index, svg),
        },
        s("polygon", { points: geometry.outline(cell) }),
        s("title", {}, title),
      );
      this.cells.push(element);
      svg.append(element);
      const centre = geometry.centre(cell);
      if (cell.piece !== null) {
        const figure = pieces.draw(cell.piece, centre, beneath.get(cell.name));
        this.figures.set(index, figure);
        figures.append(figure);
      }
      if (cell.marked && ground !== "squares")
        signs.append(s("circle", { class: "last", cx: centre.x, cy: centre.y, r: 8 }));
    });
    this.signs(position, signs);
    const turning = this.isOpen
      ? arrows(
          this.legal,
          geometry,
          (name) => this.notation.tell(name),
          (move) => this.make(move),
        )
      : [];
    svg.append(figures, signs, this.overlay, ...this.labels(), ...turning);
    return svg;
  }

  /** Ko, and at the end of a game of Go who has surrounded what. */
  private signs({ game, view, roles, scores }: Position, layer: SVGElement): void {
    const square = (index: number, kind: string, half: number) => {
      const { x, y } = this.geometry!.centre(view.cells[index]!);
      layer.append(s("rect", { class: kind, x: x - half, y: y - half, width: 2 * half, height: 2 * half }));
    };
    for (const note of view.notes) {
      const point = /^ko at (\S+)$/.exec(note)?.[1];
      const index = view.cells.findIndex((cell) => cell.name === point);
      if (index >= 0) square(index, "ko", 11);
    }
    if (scores)
      for (const [index, owner] of territory(game, view)) square(index, `owned ${colourOf(roles[owner]!, owner)}`, 8);
  }

  private labels(): SVGElement[] {
    const { view } = this.geometry!;
    const left = Math.min(...view.cells.map((cell) => cell.x));
    const bottom = Math.max(...view.cells.map((cell) => cell.y));
    // Only columns with numbers are written with a letter.
    const hasLetters = view.cells.every((cell) => /(^| )\d+ \d+$/.test(cell.name));
    return view.labels.map((label) => {
      const { x, y } = this.geometry!.label(label);
      const has = (x: number, y: number) => view.cells.some((cell) => cell.x === x && cell.y === y);
      const isAmong = view.cells.some((cell) => cell.x === label.x);
      const isBeside = view.layout === "square" && (label.x < left || (!isAmong && has(label.x + 1, label.y)));
      const isBelow = label.y > bottom || (view.layout === "square" && isAmong && has(label.x, label.y - 1));
      const isColumn = isBelow || (has(label.x, label.y - 1) && !has(label.x + 1, label.y));
      return s(
        "text",
        {
          x: isBeside ? x + SIZE * 0.38 : x,
          y: isBelow && view.layout === "square" ? y - SIZE * 0.2 : y + 6,
          "text-anchor": isBeside ? "end" : "middle",
          class: "label",
        },
        isColumn && hasLetters ? letter(label.text) : label.text,
      );
    });
  }

  /** Buttons for the moves that no cell stands for, such as a pass. */
  private aside(legal: Legal[]): HTMLElement {
    const moves = this.legal.filter((move) => move.cells.length === 0 && !hasTurns([move]));
    const shown = legal.length > 0 && moves.length <= MAX_ASIDE ? moves : [];
    const button = (move: Legal) =>
      h(
        "button",
        { type: "button", class: "aside", onclick: () => this.make(move) },
        capital(this.notation.tell(move.name)),
      );
    return h("div", { class: "asides" }, ...shown.map(button));
  }

  /** A piece that has moved by one step goes there before the eyes of people. */
  private animate(position: Position): void {
    const { moves, view } = position;
    const isNext = moves.length === this.moves.length + 1 && this.moves.every((move, step) => move === moves[step]);
    if (!isNext || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const touched = view.cells.map((cell, index) => (cell.marked ? index : -1)).filter((index) => index >= 0);
    const [from, to] = [
      touched.find((index) => view.cells[index]!.piece === null),
      touched.findLast((index) => view.cells[index]!.piece !== null),
    ];
    const figure = to === undefined ? undefined : this.figures.get(to);
    if (!figure) return;
    const end = this.geometry!.centre(view.cells[to!]!);
    const start = from === undefined ? end : this.geometry!.centre(view.cells[from]!);
    const at = ({ x, y }: { x: number; y: number }, scale = 1) => `translate(${x}px, ${y}px) scale(${scale})`;
    figure.animate(
      { transform: [at(start, from === undefined ? 0.6 : 1), at(end)] },
      { duration: STRIDE, easing: "ease-out" },
    );
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

  /** A hand takes a piece: gives its drawing if it can go somewhere. */
  private begin(cell: number): SVGElement | null {
    const picked = this.picked[this.picked.length - 1] === cell ? this.picked : [cell];
    const isFirst = this.candidates(picked).some((move) => move.cells.length > picked.length);
    const figure = this.figures.get(cell);
    if (!isFirst || !figure) return null;
    this.picked = picked;
    this.highlight();
    return figure;
  }

  /** The hand lets go over a cell, or beside the board. */
  private finish(cell: string | null): void {
    const target = this.geometry!.view.cells.findIndex((other) => other.name === cell);
    if (target >= 0 && target !== this.picked[this.picked.length - 1]) this.click(target);
  }

  /** Makes a move, and no other until the next position. */
  private make(move: Legal): void {
    if (!this.isOpen) return;
    this.picked = [];
    this.isOpen = false;
    // The same position may be shown again, if the move is taken back.
    this.signature = "";
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
        ? complete.map((move) =>
            h("button", { type: "button", onclick: () => this.make(move) }, this.notation.tell(move.name)),
          )
        : [];
    this.chooser.replaceChildren(...buttons);
  }
}
