// The page on which games are played, watched and studied.

import { written, type Place } from "./address";
import { Analysis } from "./analysis";
import type { Choices } from "./api";
import { Board } from "./board";
import { Clock } from "./clock";
import { Comparison } from "./compare";
import { confirmed, showShortcuts } from "./dialog";
import { announce, copyLink, h, notice, reason } from "./dom";
import { readGame } from "./files";
import { GameForm } from "./game_form";
import { listen } from "./keys";
import { levelOf, playerOf } from "./levels";
import { Match, PERSON, RANDOM, type Happening } from "./match";
import { OVERLAYS, OVERLAY_MEANINGS, OVERLAY_NAMES, type OverlayKind } from "./overlay";
import { PANELS } from "./panels";
import { Seats } from "./seats";
import { bring, bringAgain, keptSheet, packed, unpacked } from "./sheets";
import { click } from "./sound";
import { hintsOf } from "./source";
import { standing } from "./standing";
import { showButtons } from "./toolbar";
import { restore } from "./tree";

/** The game of somebody who is here for the first time. */
const FIRST_GAME = "breakthrough:6x6";

/** How long each position of a game is looked at, in an analysis of all of it. */
const ANALYSIS = "ms=400";

export class PlayPage {
  readonly element: HTMLElement;
  private readonly match = new Match((what) => this.heard(what));
  private readonly board = new Board({
    label: "Board: arrow keys move between cells, Enter selects",
    play: (name) => this.act(() => this.match.play(name)),
  });
  private readonly gameForm: GameForm;
  private readonly comparison: Comparison;
  private readonly analysis = new Analysis(this.match, () => this.heard("position"));
  private readonly clock = new Clock(this.match);
  private readonly seats: Seats;
  private readonly status = h("p", { class: "status", id: "status" });
  private readonly pending = h("button", {
    type: "button",
    class: "pending",
    hidden: true,
    onclick: () => this.act(() => this.match.takeBack()),
  });
  private readonly source = h("p", { class: "quiet source" });
  private readonly buttons = h("div", { class: "buttons" });
  private readonly panels = PANELS.map((make) => make((action) => this.act(() => action(this.match))));
  private readonly legalList = h("div", { class: "legal", role: "group", "aria-label": "Legal moves" });
  private readonly legalPanel: HTMLElement;
  private overlay: OverlayKind = "visits";
  private readonly overlays = h("fieldset", { class: "overlays" });
  private readonly meaning = h("p", { class: "quiet" }, OVERLAY_MEANINGS[this.overlay]);
  /** A game that was opened from the results or a file: what it is, and its moves. */
  private recorded: { about: string; moves: string[] } | null = null;
  /** Whether the buttons are those of a search under way. */
  private isBusy = false;
  private cursor = 0;
  /** The link to a rulesheet of the person, by game. */
  private packed: { game: string; sheet: string | null } = { game: "", sheet: null };

  constructor(private readonly choices: Choices) {
    this.gameForm = new GameForm(
      choices,
      (game) => void this.replace(game),
      (file) => this.act(() => this.openFile(file)),
    );
    this.seats = new Seats(this.match, this.clock, choices, (action) => this.act(action));
    this.comparison = new Comparison(choices, () => this.overlay);
    this.overlays.append(h("legend", {}, "On the board"), ...OVERLAYS.map((kind) => this.choice(kind)), this.meaning);
    const panel = (title: string, ...children: HTMLElement[]) =>
      h("section", { class: "panel" }, h("h2", {}, title), ...children);
    this.legalPanel = panel("Moves you can make", this.legalList);
    this.element = h(
      "div",
      { class: "play" },
      h("div", { class: "setup" }, this.gameForm.element, panel("Seats", this.seats.element)),
      h(
        "div",
        { class: "table" },
        this.gameForm.remarks,
        this.source,
        h("div", { class: "standing" }, this.status, this.pending),
        this.clock.element,
        this.board.element,
        this.buttons,
        this.analysis.element,
        this.overlays,
        this.legalPanel,
      ),
      h("div", { class: "mind" }, ...this.panels.map(({ title, element }) => panel(title, element))),
      this.comparison.element,
    );
    listen(this.element, this.keys(), (action) => this.match.position && this.act(action));
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
    let { game } = place;
    try {
      if (place.sheet !== null) {
        const { file, text } = await unpacked(place.sheet);
        game = (await bring(file, text)).game ?? game;
      }
      await this.begin(game, place.moves, step);
    } catch (error) {
      await this.recover(game, place.moves, reason(error));
    }
  }

  /** A link that leads nowhere leads as far as it can. */
  private async recover(game: string, moves: string[], trouble: string): Promise<void> {
    const legal = Number(/^move (\d+):/.exec(trouble)?.[1] ?? 0) - 1;
    const isKnown = this.match.position !== undefined;
    if (legal >= 0 && legal < moves.length) {
      await this.open(game, moves.slice(0, legal));
      notice(`${trouble}. The game is shown up to there.`);
    } else if (isKnown) {
      this.gameForm.show(this.match.position.game);
      this.remember();
      notice(trouble);
    } else {
      await this.open(FIRST_GAME, []);
      notice(`${trouble}. Here is another game instead.`);
    }
  }

  /** Nobody looks any more: nobody need think. */
  leave(): void {
    const { match } = this;
    this.analysis.stop();
    if (match.position !== undefined && match.isAtEnd && !match.isOver && match.person === null) match.pause();
    this.comparison.close();
  }

  private async begin(game: string, moves: string[], step = moves.length): Promise<void> {
    const { seats, budget } = this.seats.kept;
    this.comparison.close();
    this.analysis.stop();
    await bringAgain(game);
    const sheet = keptSheet(game);
    this.packed = { game, sheet: sheet ? await packed(sheet) : null };
    const hints = await hintsOf(game);
    const isNew = this.match.position?.game !== game && !this.match.position?.game.startsWith(`${game}:`);
    if (isNew) this.board.isFlipped = false;
    this.board.hints = hints;
    await this.match.begin({ game, seats, budget }, moves, step);
  }

  private open(game: string, moves: string[]): Promise<void> {
    return this.guarded(() => this.begin(game, moves));
  }

  /** Another game takes the place of this one, if that is not missed. The way back leads to this one. */
  private async replace(game: string): Promise<void> {
    const { match } = this;
    if (match.isMissed && !(await confirmed("The game on the board is not over. Leave it?", "Leave it"))) {
      this.gameForm.show(match.position.game);
      return;
    }
    if (match.position !== undefined) history.pushState(null, "", this.address());
    this.recorded = null;
    await this.open(game, []);
  }

  private async openFile(file: File): Promise<void> {
    const games = this.choices.games.map((game) => game.name);
    const opened = await readGame(file.name, await file.text(), this.match.position.game, games);
    if (this.match.position !== undefined) history.pushState(null, "", this.address());
    // At its start: nobody plays on before somebody wants it.
    await this.begin(opened.game, opened.moves, 0);
    this.recorded = { about: opened.about, moves: this.match.moves };
    if (opened.tree) restore(this.match.root, opened.tree);
    this.match.keep();
    this.heard("position");
  }

  /** Runs something that may be refused, and tells the reason. */
  private async guarded(action: () => Promise<void> | void): Promise<void> {
    notice("");
    try {
      await action();
    } catch (error) {
      notice(reason(error));
      if (this.match.position !== undefined) this.gameForm.show(this.match.position.game);
    }
  }

  private act(action: () => Promise<void> | void): void {
    void this.guarded(action);
  }

  private heard(what: Happening): void {
    const { match } = this;
    if (match.position === undefined) return;
    this.board.notation = match.notation;
    if (what === "trouble") notice(match.trouble);
    if (what === "seats") {
      this.gameForm.show(match.position.game);
      this.seats.show();
    }
    if (what === "position") this.showPosition();
    if (this.isBusy !== (match.thinking !== null)) {
      this.showButtons();
      this.showStatus();
    }
    this.clock.hear();
    this.markBoard();
    for (const panel of this.panels) panel.show(match, what);
  }

  private showStatus(): void {
    const { match } = this;
    const text = standing(match);
    if (this.status.textContent !== text) {
      this.status.textContent = text;
      announce(text);
    }
    const [first] = match.pending;
    this.pending.hidden = first === undefined || match.isOver;
    this.pending.textContent = first === undefined ? "" : `Take back ${match.notation.tell(first.move)}`;
  }

  private showPosition(): void {
    const { match } = this;
    const { position } = match;
    const role = match.person ?? match.thinking?.role ?? position.deciders[0] ?? null;
    const legal = role === null ? [] : (position.legal[role] ?? []);
    const isOpen = match.person !== null;
    this.board.show(position, role, isOpen);
    if (match.cursor > this.cursor) click();
    this.cursor = match.cursor;
    this.overlays.hidden = position.view.cells.length === 0;
    this.showStatus();
    this.remember();
    this.showButtons();
    const hadFocus = this.legalList.contains(document.activeElement);
    const choice = (name: string) =>
      h(
        "button",
        { type: "button", "data-move": name, onclick: () => this.act(() => match.play(name)) },
        match.notation.tell(name),
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
    const sheet = this.packed.game === position.game ? this.packed.sheet : null;
    return written({ game: position.game, moves, step: cursor, about: this.about(), sheet });
  }

  /** Where the game comes from, as long as nobody has played on. */
  private about(): string {
    const { recorded, match } = this;
    return recorded && recorded.moves.join() === match.moves.join() ? recorded.about : "";
  }

  private showButtons(): void {
    this.isBusy = this.match.thinking !== null;
    showButtons(this.buttons, this.match, {
      act: (action) => this.act(action),
      hint: this.canHint ? () => this.hint() : null,
      analyse: this.analysis.isRunning ? null : () => this.analyseGame(),
      flip: () => this.flip(),
      choose: () => this.gameForm.element.scrollIntoView(),
      compare: () => this.comparison.show(this.match, this.board),
      copy: () => this.copy(),
      begin: (game) => this.replace(game),
      open: (file) => this.openFile(file),
    });
  }

  private get canHint(): boolean {
    const { match } = this;
    return match.position.scores === null && match.thinking === null && match.position.deciders.length > 0;
  }

  private async hint(): Promise<void> {
    if (this.canHint) await this.match.analyse(this.adviser());
  }

  private flip(): void {
    this.board.isFlipped = !this.board.isFlipped;
    this.showPosition();
    this.markBoard();
  }

  private async analyseGame(): Promise<void> {
    const { match } = this;
    if (match.line.length === 0) return;
    if (match.thinking !== null) match.pause();
    const running = this.analysis.run(playerOf(this.adviser(), "").player, ANALYSIS);
    this.showButtons();
    await running;
    this.heard("position");
  }

  /** Who gives hints: the first player at the board that searches, but not one that is weak on purpose. */
  private adviser(): string {
    const searches = (seat: string) => seat !== PERSON && seat !== RANDOM && !levelOf(seat);
    return this.match.seats.find(searches) ?? this.choices.player;
  }

  private async copy(): Promise<void> {
    const { position, cursor, moves } = this.match;
    const sheet = this.packed.game === position.game ? this.packed.sheet : null;
    const place = { game: position.game, moves: moves.slice(0, cursor), step: cursor, about: "", sheet };
    await copyLink(written(place));
    const isLost = keptSheet(position.game) !== undefined && sheet === null;
    this.status.textContent = isLost
      ? "The link is copied. The rulesheet is too large for it: it works only in this browser."
      : "The link to this position is copied.";
  }

  /** Draws what was thought about the position on the board. */
  private markBoard(): void {
    this.board.mark(this.match.here.opinion?.thought ?? null, this.overlay);
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

  private keys(): Record<string, () => Promise<void> | void> {
    const { match } = this;
    return {
      ArrowLeft: () => match.look(match.cursor - 1),
      ArrowRight: () => match.look(match.cursor + 1),
      ",": () => match.look(match.cursor - 1),
      ".": () => match.look(match.cursor + 1),
      Home: () => match.look(0),
      End: () => match.look(match.line.length),
      u: () => match.undo(),
      h: () => this.hint(),
      f: () => this.flip(),
      a: () => this.analyseGame(),
      p: () => this.pass(),
      "?": () => showShortcuts(),
    };
  }

  private async pass(): Promise<void> {
    const { match } = this;
    const isPass = match.person !== null && match.position.legal[match.person]!.some((move) => move.name === "pass");
    if (isPass) await match.play("pass");
  }
}
