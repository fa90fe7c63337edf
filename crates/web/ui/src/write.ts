// An editor for rulesheets: what the checker says while somebody types, and the game one click away.

import { checkSheet, type Choices, type Remark } from "./api";
import type { Place } from "./address";
import { written } from "./address";
import { copyLink, download, h, notice, reason } from "./dom";
import { highlighted } from "./highlight";
import { bring, keptSheet, packed, unpacked } from "./sheets";
import { sourceOf } from "./source";

const DRAFT = "ludens.draft";

/** The pause after which somebody is taken to have stopped typing, in milliseconds. */
const PAUSE = 350;

const FIRST = "gdl:tictactoe";

interface Draft {
  file: string;
  text: string;
}

export class WritePage {
  readonly element: HTMLElement;
  private readonly text = h("textarea", {
    id: "rules-text",
    spellcheck: "false",
    autocapitalize: "off",
    autocomplete: "off",
    wrap: "off",
    "aria-label": "Rulesheet",
    "aria-describedby": "rules-verdict",
    oninput: () => this.changed(),
    onscroll: () => this.follow(),
    onkeydown: (event) => this.key(event as KeyboardEvent),
  });
  private readonly shown = h("pre", { class: "highlighted", "aria-hidden": "true" });
  private readonly numbers = h("pre", { class: "line-numbers", "aria-hidden": "true" });
  private readonly verdict = h("p", { id: "rules-verdict", role: "status" });
  private readonly remarks = h("ul", { class: "remarks-list" });
  private readonly file = h("input", {
    id: "rules-file",
    "aria-label": "Name of the file",
    onchange: () => this.keep(),
  });
  private readonly start: HTMLSelectElement;
  private readonly play = h(
    "button",
    { type: "button", class: "main", onclick: () => void this.playNow() },
    "Play it now",
  );
  private timer = 0;
  private checks = 0;

  constructor(choices: Choices) {
    const sheets = choices.games.filter((game) => game.name.startsWith("gdl:"));
    this.start = h(
      "select",
      { id: "rules-start", onchange: () => void this.begin(this.start.value) },
      h("option", { value: "" }, "choose a rulesheet"),
      ...sheets.map((game) => h("option", { value: game.name, title: game.about }, game.name.slice(4))),
    );
    const button = (text: string, action: () => Promise<void> | void) =>
      h("button", { type: "button", onclick: () => void this.guarded(action) }, text);
    this.element = h(
      "div",
      { class: "write" },
      h("h1", {}, "Write a game"),
      h(
        "div",
        { class: "buttons" },
        h("label", { for: "rules-start" }, "Start from"),
        this.start,
        this.file,
        this.play,
        button("Copy link", () => this.copy()),
        button("Save file", () => download(this.name, "text/plain", this.text.value)),
      ),
      h(
        "div",
        { class: "desk" },
        h("div", { class: "editor" }, this.numbers, h("div", { class: "paper" }, this.shown, this.text)),
        h("section", { class: "panel", "aria-label": "What the checker says" }, this.verdict, this.remarks),
      ),
      h(
        "p",
        { class: "quiet" },
        "Rules are written in GDL, the game description language: role, init, legal, next, terminal, goal. ",
        "Your browser saves everything as you type. A comment such as ",
        h("code", {}, "; Draw: lines, w as white queen"),
        " says how the board is drawn.",
      ),
    );
  }

  private get name(): string {
    const plain = this.file.value.trim() || "mine.kif";
    return /\.\w+$/.test(plain) ? plain : `${plain}.kif`;
  }

  /** Opens the rules that an address names, or goes on with what was written. */
  async visit(place: Place): Promise<void> {
    if (place.sheet !== null || place.game !== null) {
      if (place.sheet !== null) this.write(await unpacked(place.sheet));
      else await this.begin(place.game!);
      // What is written from here on is the draft, also after a reload.
      history.replaceState(null, "", "#/write");
    } else if (this.text.value === "") {
      const draft = this.draft();
      if (draft) this.write(draft);
      else await this.begin(FIRST);
    }
  }

  private draft(): Draft | null {
    try {
      const draft = JSON.parse(localStorage.getItem(DRAFT) ?? "") as Draft;
      return typeof draft.text === "string" && draft.text !== "" ? draft : null;
    } catch {
      return null;
    }
  }

  private async begin(game: string): Promise<void> {
    if (game === "") return;
    await this.guarded(async () => {
      const kept = keptSheet(game);
      const text = kept?.text ?? (await sourceOf(game));
      if (text === null || text === undefined) throw new Error(`${game} has no rulesheet`);
      this.write({ file: kept?.file ?? `my-${game.replace(/^.*:/, "")}.kif`, text });
    });
    this.start.value = "";
  }

  private write({ file, text }: Draft): void {
    this.file.value = file;
    this.text.value = text;
    this.changed();
  }

  private keep(): void {
    try {
      localStorage.setItem(DRAFT, JSON.stringify({ file: this.name, text: this.text.value }));
    } catch {
      // A sheet too large for the browser lasts as long as the page.
    }
  }

  private changed(): void {
    const text = this.text.value;
    this.shown.replaceChildren(...highlighted(text), "\n");
    this.number([]);
    this.keep();
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.check(), PAUSE);
  }

  /** The lines, with those that the checker speaks of marked. */
  private number(remarks: Remark[]): void {
    const lines = this.text.value.split("\n").length;
    const kind = (line: number) => {
      const here = remarks.filter((remark) => remark.line === line).map((remark) => remark.severity);
      return here.includes("error") ? "error" : (here[0] ?? "");
    };
    this.numbers.replaceChildren(
      ...Array.from({ length: lines }, (_, index) => h("span", { class: kind(index + 1) }, `${index + 1}\n`)),
    );
    this.follow();
  }

  private follow(): void {
    this.shown.style.transform = `translate(${-this.text.scrollLeft}px, ${-this.text.scrollTop}px)`;
    this.numbers.style.transform = `translateY(${-this.text.scrollTop}px)`;
  }

  private async check(): Promise<void> {
    this.checks += 1;
    const check = this.checks;
    try {
      const { remarks } = await checkSheet(this.name, this.text.value, false);
      if (check !== this.checks) return;
      this.tell(remarks);
    } catch (error) {
      if (check === this.checks) this.verdict.textContent = reason(error);
    }
  }

  private tell(remarks: Remark[]): void {
    const errors = remarks.filter((remark) => remark.severity === "error").length;
    const warnings = remarks.length - errors;
    const count = (number: number, word: string) => `${number} ${word}${number === 1 ? "" : "s"}`;
    this.verdict.className = errors > 0 ? "error" : "good";
    this.verdict.textContent =
      errors > 0
        ? `${count(errors, "error")}: this cannot be played yet.`
        : warnings > 0
          ? `This can be played, with ${count(warnings, "warning")}.`
          : "This can be played.";
    this.play.toggleAttribute("disabled", errors > 0);
    const item = (remark: Remark) =>
      h(
        "li",
        { class: remark.severity },
        h(
          "button",
          { type: "button", class: "quiet show", onclick: () => this.goTo(remark) },
          `Line ${remark.line}, column ${remark.column}: ${remark.title}`,
        ),
        h("pre", { tabindex: 0 }, remark.text),
      );
    this.remarks.replaceChildren(...remarks.map(item));
    this.number(remarks);
  }

  private goTo({ line, column }: Remark): void {
    const before = this.text.value.split("\n").slice(0, line - 1);
    const at = before.reduce((sum, text) => sum + text.length + 1, 0) + column - 1;
    this.text.focus();
    this.text.setSelectionRange(at, at);
    this.text.scrollTop = Math.max(0, (line - 6) * 20);
  }

  /** Tab indents; Escape gives the Tab key back to the page. */
  private key(event: KeyboardEvent): void {
    if (event.key === "Escape") this.play.focus();
    if (event.key !== "Tab" || event.shiftKey) return;
    event.preventDefault();
    this.text.setRangeText("    ", this.text.selectionStart, this.text.selectionEnd, "end");
    this.changed();
  }

  private async playNow(): Promise<void> {
    await this.guarded(async () => {
      const { game, remarks } = await bring(this.name, this.text.value);
      this.tell(remarks);
      if (game === null) return;
      location.hash = written({ game, moves: [], step: 0, about: "" });
    });
  }

  private async copy(): Promise<void> {
    const sheet = await packed({ file: this.name, text: this.text.value });
    if (sheet === null) throw new Error("This rulesheet is too large for a link; save it as a file.");
    await copyLink(`#/write?sheet=${sheet}`);
    this.verdict.textContent = "The link to these rules is copied.";
  }

  private async guarded(action: () => Promise<void> | void): Promise<void> {
    notice("");
    try {
      await action();
    } catch (error) {
      notice(reason(error));
    }
  }
}
