// Questions before something is lost, and the list of shortcuts.

import { h } from "./dom";

/** Asks something that is answered by yes or no. */
export function confirmed(question: string, yes: string): Promise<boolean> {
  return new Promise((resolve) => {
    const dialog = h(
      "dialog",
      { "aria-label": question },
      h("p", {}, question),
      h(
        "form",
        { method: "dialog", class: "buttons" },
        h("button", { value: "no" }, "Keep playing"),
        h("button", { value: "yes", class: "danger" }, yes),
      ),
    );
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

const SHORTCUTS: [keys: string, what: string][] = [
  ["← →", "one step back or forward in the game (on the board, reached by Tab: another cell)"],
  [", .", "one step back or forward, wherever the focus is"],
  ["Home End", "to the start or the end of the game"],
  ["Tab", "from part to part; the board is one of them"],
  ["Enter", "picks a cell, and plays"],
  ["Escape", "lets a picked piece go"],
  ["h", "hint"],
  ["u", "undo"],
  ["p", "pass, where the rules allow it"],
  ["f", "flip the board"],
  ["a", "analyse the game"],
  ["?", "this list"],
];

/** Shows the shortcuts until somebody closes them. */
export function showShortcuts(): void {
  if (document.querySelector("dialog[open]")) return;
  const rows = SHORTCUTS.map(([keys, what]) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, ...keys.split(" ").flatMap((key) => [h("kbd", {}, key), " "])),
      h("td", {}, what),
    ),
  );
  const dialog = h(
    "dialog",
    { "aria-labelledby": "shortcuts-title" },
    h("h2", { id: "shortcuts-title" }, "Keyboard"),
    h("table", { class: "shortcuts" }, h("tbody", {}, ...rows)),
    h("form", { method: "dialog" }, h("button", {}, "Close")),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
