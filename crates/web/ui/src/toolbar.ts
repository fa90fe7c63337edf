// The buttons below the board.

import { download, h } from "./dom";
import { titleOf } from "./levels";
import type { Match } from "./match";
import { json, sgf } from "./record";

type Action = () => Promise<void> | void;

/** What the page does; nothing where it cannot be done now. */
export interface Tools {
  act(action: Action): void;
  hint: Action | null;
  analyse: Action | null;
  flip(): void;
  compare(): void;
  copy(): Promise<void>;
  /** Leads to the choice of games and players, where that is out of sight. */
  choose(): void;
  begin(game: string): Promise<void>;
  open(file: File): Promise<void>;
}

/** Fills the place of the buttons with those that make sense now. */
export function showButtons(place: HTMLElement, match: Match, tools: Tools): void {
  const { game, roles, deciders, scores, view } = match.position;
  const isBusy = match.thinking !== null;
  const isWaiting = !match.isOver && match.person === null && !isBusy;
  // Between two moves of engines nobody thinks, and the buttons stay.
  const isGoing = isBusy || (isWaiting && match.isAtEnd && !match.isPaused);
  const signs: string[] = [game];
  const button = (text: string, action: Action | null, isOff = false, label = "") => {
    signs.push(`${text} ${isOff || action === null}`);
    return h(
      "button",
      {
        type: "button",
        disabled: isOff || action === null,
        "aria-label": label || false,
        onclick: () => action && tools.act(action),
      },
      text,
    );
  };
  const group = (label: string, ...buttons: (HTMLElement | string)[]) =>
    h("div", { class: "group", role: "group", "aria-label": label }, ...buttons);
  const written = () => {
    const names = roles.map((role, number) => `${role}: ${titleOf(match.seats[number] ?? "")}`);
    return sgf(game, names, match.moves);
  };
  const file = game.replace(/[^a-z0-9-]+/gi, "_");
  const focused = document.activeElement;
  const wasFocused = focused instanceof HTMLButtonElement && place.contains(focused) ? focused.textContent : null;
  const chooser = h("input", { type: "file", accept: ".json,.sgf", hidden: true, id: "open-game" });
  chooser.addEventListener("change", () => {
    const [chosen] = chooser.files ?? [];
    // The same file may be opened again.
    chooser.value = "";
    if (chosen) tools.act(() => tools.open(chosen));
  });
  const below = group("Setup", button("Choose game and players", tools.choose));
  below.classList.add("below");
  const groups = [
    group(
      "Steps",
      button("«", () => match.look(0), match.cursor === 0, "To the start"),
      button("‹", () => match.look(match.cursor - 1), match.cursor === 0, "Step back"),
      button("›", () => match.look(match.cursor + 1), match.isAtEnd, "Step forward"),
      button("»", () => match.look(match.line.length), match.isAtEnd, "To the end"),
    ),
    group(
      "Play",
      isGoing ? button("Move now", () => match.stop()) : "",
      isGoing ? button("Pause", () => match.pause()) : "",
      (isWaiting && !isGoing) || !match.isAtEnd ? button("Go on from here", () => match.goOn(), scores !== null) : "",
      button("Undo", () => match.undo(), match.cursor === 0),
      button("Hint", tools.hint, isGoing),
      button(
        "Resign",
        () => match.lose(match.person ?? undefined, "resigned"),
        match.isOver || !match.isAtEnd || match.person === null,
      ),
      button("Swap seats", () => match.swap(), match.seats.length < 2),
      button("Flip", tools.flip, view.cells.length === 0),
      button("New game", () => tools.begin(game)),
    ),
    group(
      "Study",
      button("Analyse game", tools.analyse, match.line.length === 0),
      button("Compare", tools.compare, deciders.length === 0),
      button("Copy link", tools.copy),
      button("Open game", () => chooser.click()),
      button("Save JSON", () => download(`${file}.json`, "application/json", json(match))),
      written() === null ? "" : button("Save SGF", () => download(`${file}.sgf`, "application/x-go-sgf", written()!)),
      chooser,
    ),
    below,
  ];
  // A button that is replaced between press and release hears no click.
  const sign = signs.join("; ");
  if (place.dataset["buttons"] === sign) return;
  place.dataset["buttons"] = sign;
  place.replaceChildren(...groups);
  if (wasFocused !== null)
    [...place.querySelectorAll("button")].find((other) => other.textContent === wasFocused)?.focus();
}
