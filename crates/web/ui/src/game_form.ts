// Which game: one of the catalogue with its size and options, or a rulesheet dropped on the page.

import type { Choices, GameChoice, Param } from "./api";
import { h, reason } from "./dom";
import { isGame } from "./files";
import { paramInput } from "./player_form";
import { bring, keptSheets } from "./sheets";

const TO_LOSE = "misere-";

export class GameForm {
  readonly element: HTMLElement;
  private readonly select = h("select", { id: "game", onchange: () => this.pick(this.select.value) });
  private readonly options = h("div", { class: "params" });
  private readonly about = h("p", { class: "quiet" });
  /** What the checker says of a rulesheet: its lines need more room than the form has. */
  readonly remarks = h("div", { class: "remarks", role: "status" });
  private values = new Map<string, string>();
  private isToLose = false;

  constructor(
    private readonly choices: Choices,
    private readonly choose: (game: string) => void,
    /** Somebody has brought a saved game. */
    private readonly openGame: (file: File) => void,
  ) {
    const file = h("input", {
      type: "file",
      id: "sheet",
      accept: ".kif,.gdl,.txt,.json,.sgf",
      onchange: () => void this.read(file.files),
    });
    const drop = h(
      "div",
      { class: "drop" },
      h(
        "label",
        { for: "sheet" },
        "Drop rules (.kif) or a saved game (.json, .sgf) anywhere on the page, or choose a file",
      ),
      file,
      h("a", { href: "#/write" }, "Write your own rules"),
    );
    this.element = h(
      "section",
      { class: "panel game-form", "aria-labelledby": "game-title" },
      h("h2", { id: "game-title" }, "Game"),
      h("label", { for: "game", class: "unseen" }, "Game"),
      this.select,
      this.about,
      this.options,
      drop,
    );
    document.addEventListener("dragover", (event) => event.preventDefault());
    document.addEventListener("drop", (event) => {
      event.preventDefault();
      if (!this.element.isConnected) location.hash = "#/play";
      void this.read(event.dataTransfer?.files ?? null);
    });
  }

  private fill(): void {
    const option = (game: string, text: string) => h("option", { value: game }, text);
    const group = (label: string, options: HTMLElement[]) => h("optgroup", { label }, ...options);
    const [sheets, native] = [
      this.choices.games.filter((game) => game.name.startsWith("gdl:")),
      this.choices.games.filter((game) => !game.name.startsWith("gdl:")),
    ];
    const own = keptSheets().map((sheet) => option(sheet.game, sheet.file));
    this.select.replaceChildren(
      group(
        "Native games",
        native.map((game) => option(game.name, game.name)),
      ),
      group(
        "Rulesheets",
        sheets.map((game) => option(game.name, game.name.slice(4))),
      ),
      ...(own.length > 0 ? [group("Your rulesheets", own)] : []),
    );
  }

  /** Shows a game that is played. */
  show(game: string): void {
    this.fill();
    const [name = "", rest = ""] = game.includes("gdl:") ? [game.replace(TO_LOSE, "")] : game.split(/:(.*)/);
    const choice = this.choices.games.find((entry) => entry.name === name);
    this.isToLose = game.startsWith(`${TO_LOSE}gdl:`);
    this.values = new Map();
    if (choice) {
      rest
        .split(",")
        .filter((item) => item !== "")
        .forEach((item, place) => {
          const [key, value] = item.includes("=")
            ? item.split("=")
            : [place === 0 ? choice.params[0]?.name : undefined, item];
          if (key && value) this.values.set(key, value);
        });
    }
    this.select.value = choice ? name : game;
    this.showOptions(choice);
  }

  private showOptions(choice: GameChoice | undefined): void {
    this.about.textContent = choice?.about ?? "";
    const inputs = (choice?.params ?? []).map((param) => this.sized(param));
    if (choice?.name.startsWith("gdl:")) {
      const box = h("input", {
        type: "checkbox",
        checked: this.isToLose,
        onchange: (event) => {
          this.isToLose = (event.target as HTMLInputElement).checked;
          this.submit();
        },
      });
      inputs.push(h("label", { class: "param" }, box, "play to lose"));
    }
    this.options.replaceChildren(...inputs);
  }

  /** A parameter with what it may be. */
  private sized(param: Param): HTMLElement {
    const input = paramInput(param, this.values.get(param.name) ?? "", (value) => {
      this.values.set(param.name, value);
      this.submit();
    });
    const { domain } = param;
    const range =
      domain.kind === "board"
        ? `${domain.min.join("×")} to ${domain.max.join("×")}`
        : domain.kind === "word" || domain.kind === "bytes"
          ? ""
          : `${domain.min} to ${domain.max}`;
    input.append(h("small", {}, range));
    return input;
  }

  private pick(game: string): void {
    this.values = new Map();
    this.isToLose = false;
    this.remarks.replaceChildren();
    this.showOptions(this.choices.games.find((entry) => entry.name === game));
    this.submit();
  }

  private submit(): void {
    const game = this.select.value;
    const given = [...this.values]
      .filter(([, value]) => value !== "")
      .map(([name, value]) => `${name}=${value}`)
      .join(",");
    this.choose((this.isToLose ? TO_LOSE : "") + game + (given ? `:${given}` : ""));
  }

  /** Reads a file of rules, shows what the checker says, and plays it if it can be. */
  private async read(files: FileList | null): Promise<void> {
    const file = files?.[0];
    if (!file) return;
    if (isGame(file)) {
      this.openGame(file);
      return;
    }
    try {
      const { game, remarks } = await bring(file.name, await file.text());
      const verdict = game ? `${file.name} can be played.` : `${file.name} cannot be played.`;
      const shown = remarks.map((remark) =>
        h(
          "li",
          { class: remark.severity },
          h("strong", {}, `${remark.severity}, line ${remark.line}, column ${remark.column}: ${remark.title}`),
          h("pre", {}, remark.text),
        ),
      );
      this.remarks.replaceChildren(h("p", { class: game ? "good" : "error" }, verdict), h("ul", {}, ...shown));
      if (!game) return;
      this.choose(game);
    } catch (error) {
      this.remarks.replaceChildren(h("p", { class: "error" }, `${file.name}: ${reason(error)}`));
    }
  }
}
