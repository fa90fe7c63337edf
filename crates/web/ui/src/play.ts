// The page on which games are played and searches are watched.

import { written, type Place } from "./address";
import type { Choices } from "./api";
import { Board } from "./board";
import { Comparison } from "./compare";
import { announce, download, h, notice, reason } from "./dom";
import { GameForm } from "./game_form";
import { Match, PERSON, RANDOM, type Happening } from "./match";
import { OVERLAYS, OVERLAY_MEANINGS, OVERLAY_NAMES, type OverlayKind } from "./overlay";
import { PANELS } from "./panels";
import { PlayerForm } from "./player_form";
import { json, sgf } from "./record";
import { bringAgain } from "./sheets";
import { standing } from "./standing";

/** The game of somebody who is here for the first time. */
const FIRST_GAME = "breakthrough:6x6";
const SETTINGS = "ludens.settings";

export class PlayPage {
  readonly element: HTMLElement;
  private readonly match = new Match((what) => this.heard(what));
  private readonly board = new Board({
    label: "Board: arrow keys move, Enter picks",
    play: (name) => void this.guarded(() => this.match.play(name)),
  });
  private readonly gameForm: GameForm;
  private readonly comparison: Comparison;
  private readonly seats = h("div", { class: "seats" });
  private readonly status = h("p", { class: "status", id: "status" });
  private readonly source = h("p", { class: "quiet source" });
  private readonly buttons = h("div", { class: "buttons" });
  private readonly panels = PANELS.map((make) => make((step) => void this.guarded(() => this.match.look(step))));
  private readonly legalList = h("div", { class: "legal", role: "group", "aria-label": "Legal moves" });
  private readonly legalPanel: HTMLElement;
  private overlay: OverlayKind = "visits";
  private readonly overlays = h("fieldset", { class: "overlays" });
  private readonly meaning = h("p", { class: "quiet" }, OVERLAY_MEANINGS[this.overlay]);
  /** A game that was opened from the results: what it is, and its moves. */
  private recorded: { about: string; moves: string[] } | null = null;
  /** Whether the buttons are those of a search under way. */
  private isBusy = false;

  constructor(private readonly choices: Choices) {
    this.gameForm = new GameForm(choices, (game) => void this.open(game, []));
    this.comparison = new Comparison(choices, () => this.overlay);
    this.overlays.append(h("legend", {}, "On the board"), ...OVERLAYS.map((kind) => this.choice(kind)), this.meaning);
    const panel = (title: string, ...children: HTMLElement[]) =>
      h("section", { class: "panel" }, h("h2", {}, title), ...children);
    this.legalPanel = panel("Moves you can make", this.legalList);
    this.element = h(
      "div",
      { class: "play" },
      h("div", { class: "setup" }, this.gameForm.element, panel("Seats", this.seats)),
      h(
        "div",
        { class: "table" },
        this.gameForm.remarks,
        this.source,
        this.status,
        this.board.element,
        this.buttons,
        this.overlays,
        this.legalPanel,
      ),
      h("div", { class: "mind" }, ...this.panels.map(({ title, element }) => panel(title, element))),
      this.comparison.element,
    );
    document.addEventListener("keydown", (event) => this.key(event));
  }

  /** Opens what an address says, or goes on with what there is. */
  async visit(place: Place): Promise<void> {
    if (place.game === null) {
      if (this.match.position === undefined) await this.open(FIRST_GAME, []);
      else this.remember();
      return;
    }
    const step = place.step ?? place.moves.length;
    const isHere =
      this.match.position !== undefined && this.address() === written({ ...place, game: place.game, step });
    if (isHere) return;
    this.recorded = place.about ? { about: place.about, moves: place.moves } : null;
    await this.open(place.game, place.moves, step);
  }

  /** Nobody looks any more: nobody need think. */
  leave(): void {
    const { match } = this;
    if (match.position !== undefined && match.isAtEnd && !match.isOver && match.person === null) match.pause();
    this.comparison.close();
  }

  private async open(game: string, moves: string[], step = moves.length): Promise<void> {
    const { seats, budget } = this.settings();
    this.comparison.close();
    await this.guarded(async () => {
      await bringAgain(game);
      await this.match.begin({ game, seats, budget }, moves, step);
    });
  }

  private settings(): { seats: string[]; budget: string } {
    try {
      const kept = JSON.parse(localStorage.getItem(SETTINGS) ?? "") as { seats: string[]; budget: string };
      if (Array.isArray(kept.seats) && typeof kept.budget === "string") return kept;
    } catch {
      // Nothing was kept, or nothing that makes sense.
    }
    return { seats: [PERSON, this.choices.player], budget: "ms=1000" };
  }

  private keepSettings(): void {
    const { seats, budget } = this.match;
    localStorage.setItem(SETTINGS, JSON.stringify({ seats, budget }));
  }

  /** Runs something that may be refused, and tells the reason. */
  private async guarded(action: () => Promise<void>): Promise<void> {
    notice("");
    try {
      await action();
    } catch (error) {
      notice(reason(error));
      if (this.match.position !== undefined) this.gameForm.show(this.match.position.game);
    }
  }

  private heard(what: Happening): void {
    if (what === "trouble") notice(this.match.trouble);
    if (what === "seats") this.showSeats();
    if (what === "position") this.showPosition();
    if (this.isBusy !== (this.match.thinking !== null)) this.showButtons();
    this.markBoard();
    for (const panel of this.panels) panel.show(this.match, what);
  }

  private showSeats(): void {
    const { match } = this;
    this.gameForm.show(match.position.game);
    this.keepSettings();
    const forms = match.position.roles.map(
      (role, place) =>
        new PlayerForm({ role, seat: match.seats[place]!, choices: this.choices, withPeople: true }, (seat) => {
          void this.guarded(() => match.sit(place, seat));
          this.keepSettings();
        }).element,
    );
    const [unit = "ms", amount = "1000"] = match.budget.split("=");
    const number = h("input", { type: "number", id: "budget", min: 1, value: amount, onchange: () => change() });
    const units = h(
      "select",
      { "aria-label": "Unit of the budget", onchange: () => change() },
      h("option", { value: "ms", selected: unit === "ms" }, "milliseconds"),
      h("option", { value: "sims", selected: unit === "sims" }, "simulations"),
    );
    const change = () => void this.guarded(() => match.seat(match.seats, `${units.value}=${number.value || 1}`));
    this.seats.replaceChildren(
      ...forms,
      h("div", { class: "budget" }, h("label", { for: "budget" }, "An engine thinks per move"), number, units),
    );
  }

  private showPosition(): void {
    const { match } = this;
    const { position } = match;
    const role = match.person ?? position.deciders[0] ?? null;
    const legal = role === null ? [] : position.legal[role]!;
    const isOpen = match.person !== null;
    this.board.show(position, legal, isOpen);
    this.overlays.hidden = position.view.cells.length === 0;
    this.status.textContent = standing(match);
    announce(standing(match));
    this.remember();
    this.showButtons();
    const hadFocus = this.legalList.contains(document.activeElement);
    const choice = (name: string) =>
      h(
        "button",
        { type: "button", "data-move": name, onclick: () => void this.guarded(() => match.play(name)) },
        name,
      );
    this.legalList.replaceChildren(...(isOpen ? legal.map((move) => choice(move.name)) : []));
    this.legalPanel.hidden = !isOpen;
    if (hadFocus) this.legalList.querySelector("button")?.focus();
  }

  private remember(): void {
    if (this.element.isConnected) history.replaceState(null, "", this.address());
    this.source.textContent = this.about();
  }

  /** The address of what is shown. */
  private address(): string {
    const { position, moves, cursor } = this.match;
    return written({ game: position.game, moves, step: cursor, about: this.about() });
  }

  /** Where the game comes from, as long as nobody has played on. */
  private about(): string {
    const { recorded, match } = this;
    return recorded && recorded.moves.join() === match.moves.join() ? recorded.about : "";
  }

  private showButtons(): void {
    const { match } = this;
    const isBusy = match.thinking !== null;
    this.isBusy = isBusy;
    const button = (text: string, action: () => Promise<void> | void, isOff = false, label = "") =>
      h(
        "button",
        {
          type: "button",
          disabled: isOff,
          "aria-label": label || false,
          onclick: () => void this.guarded(async () => action()),
        },
        text,
      );
    const { game } = match.position;
    const names = match.position.roles.map((role, place) => `${role}: ${match.seats[place]}`);
    const drawn = sgf(game, names, match.moves);
    const file = game.replace(/[^a-z0-9-]+/gi, "_");
    const wasFocused =
      document.activeElement instanceof HTMLButtonElement && this.buttons.contains(document.activeElement)
        ? document.activeElement.textContent
        : null;
    const isWaiting = !match.isOver && match.person === null && !isBusy;
    this.buttons.replaceChildren(
      button("«", () => match.look(0), match.cursor === 0, "To the start"),
      button("‹", () => match.look(match.cursor - 1), match.cursor === 0, "Step back"),
      button("›", () => match.look(match.cursor + 1), match.isAtEnd, "Step forward"),
      button("»", () => match.look(match.moves.length), match.isAtEnd, "To the end"),
      isBusy ? button("Move now", () => match.stop()) : "",
      isBusy ? button("Pause", () => match.pause()) : "",
      isWaiting || !match.isAtEnd ? button("Go on from here", () => match.goOn(), match.position.scores !== null) : "",
      button(
        "Hint",
        () => match.analyse(this.adviser()),
        match.isOver || isBusy || match.position.deciders.length === 0,
      ),
      button("Compare", () => this.comparison.show(match.position, match.budget), match.position.deciders.length === 0),
      button("Undo", () => match.undo(), match.cursor === 0),
      button("Resign", () => match.resign(), match.isOver || !match.isAtEnd || match.person === null),
      button("Swap seats", () => match.swap()),
      button("New game", () => this.open(game, [])),
      button("Copy link", () => this.copy()),
      button("Save JSON", () => download(`${file}.json`, "application/json", json(match))),
      drawn === null ? "" : button("Save SGF", () => download(`${file}.sgf`, "application/x-go-sgf", drawn)),
    );
    if (wasFocused !== null)
      [...this.buttons.querySelectorAll("button")].find((other) => other.textContent === wasFocused)?.focus();
  }

  /** Who gives hints: the first player at the board that searches. */
  private adviser(): string {
    return this.match.seats.find((seat) => seat !== PERSON && seat !== RANDOM) ?? this.choices.player;
  }

  private async copy(): Promise<void> {
    const { position, cursor, moves } = this.match;
    const place = { game: position.game, moves: moves.slice(0, cursor), step: cursor, about: "" };
    const link = new URL(written(place), location.href).href;
    try {
      await navigator.clipboard.writeText(link);
      announce("The link is copied.");
      this.status.textContent = "The link to this position is copied.";
    } catch {
      throw new Error(`The browser does not let the page copy; the link is ${link}`);
    }
  }

  /** Draws what was thought about the position on the board. */
  private markBoard(): void {
    const { match } = this;
    this.board.mark(match.opinions.get(match.cursor)?.thought ?? null, this.overlay);
  }

  private choice(kind: OverlayKind): HTMLElement {
    const checked = kind === this.overlay;
    const radio = h("input", {
      type: "radio",
      name: "overlay",
      value: kind,
      checked,
      onchange: () => this.setOverlay(kind),
    });
    return h("label", {}, radio, OVERLAY_NAMES[kind]);
  }

  private setOverlay(kind: OverlayKind): void {
    this.overlay = kind;
    this.meaning.textContent = OVERLAY_MEANINGS[kind];
    this.markBoard();
    this.comparison.draw();
  }

  private key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (
      !this.element.isConnected ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      ["INPUT", "SELECT", "TEXTAREA"].includes(target.tagName)
    )
      return;
    const { match } = this;
    if (event.key === "ArrowLeft") void this.guarded(() => match.look(match.cursor - 1));
    else if (event.key === "ArrowRight") void this.guarded(() => match.look(match.cursor + 1));
    else if (event.key === "u") void this.guarded(() => match.undo());
    else return;
    event.preventDefault();
  }
}
