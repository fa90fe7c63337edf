// Tables of results: sorted by a click on a heading, filtered by a word, saved as CSV.

import type { Grid } from "./api";
import { download, h } from "./dom";

/** Tables with fewer rows need no filter. */
const MIN_FILTERED = 8;

const VERDICTS = ["agrees", "differs", "too few games"];

const value = (text: string) => Number.parseFloat(text.replaceAll(",", ""));

/** Rows in the order of a column; what is no number comes last. */
function sorted(rows: number[], grid: Grid, column: number, isDown: boolean): number[] {
  const text = (row: number) => grid.rows[row]![column] ?? "";
  const byNumber = (a: number, b: number) => {
    const [left, right] = [value(text(a)), value(text(b))];
    if (Number.isNaN(left) || Number.isNaN(right)) return Number(Number.isNaN(left)) - Number(Number.isNaN(right));
    return isDown ? right - left : left - right;
  };
  const byText = (a: number, b: number) => text(a).localeCompare(text(b), "en", { numeric: true }) * (isDown ? -1 : 1);
  return [...rows].sort(grid.columns[column]!.number ? byNumber : byText);
}

const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** The table as other programs read it. */
export function csv(grid: Grid): string {
  const rows = [grid.columns.map((column) => column.title), ...grid.rows];
  return rows.map((row) => row.map(quoted).join(",") + "\n").join("");
}

export function table(grid: Grid, href?: (row: number) => string | null): HTMLElement {
  const kind = (column: number) => (grid.columns[column]?.number ? "number" : "");
  const cell = (text: string, column: number, row: number) => {
    const target = column === 0 ? (href?.(row) ?? null) : null;
    const content = target
      ? h("a", { href: target }, text)
      : VERDICTS.includes(text)
        ? h("span", { class: text.replaceAll(" ", "-") }, text)
        : text;
    return h("td", { class: kind(column) }, content);
  };
  const body = h("tbody");
  let order = grid.rows.map((_, row) => row);
  let by: { column: number; isDown: boolean } | null = null;
  let word = "";
  const draw = () => {
    const shown = order.filter((row) => grid.rows[row]!.join(" ").toLowerCase().includes(word));
    body.replaceChildren(
      ...shown.map((row) => h("tr", {}, ...grid.rows[row]!.map((text, column) => cell(text, column, row)))),
    );
  };
  const heads = grid.columns.map((column, place) => {
    const sort = () => {
      by = { column: place, isDown: by?.column === place ? !by.isDown : column.number };
      order = sorted(order, grid, by.column, by.isDown);
      heads.forEach((head) => head.removeAttribute("aria-sort"));
      heads[place]!.setAttribute("aria-sort", by.isDown ? "descending" : "ascending");
      draw();
    };
    return h(
      "th",
      { class: kind(place), scope: "col" },
      h("button", { type: "button", class: "quiet sort", onclick: sort }, column.title),
    );
  });
  draw();
  const filter = h("input", {
    type: "search",
    placeholder: "Filter the rows",
    "aria-label": "Filter the rows",
    oninput: () => {
      word = filter.value.trim().toLowerCase();
      draw();
    },
  });
  const save = () => download("table.csv", "text/csv", csv(grid));
  const tools = h(
    "div",
    { class: "table-tools" },
    grid.rows.length >= MIN_FILTERED ? filter : null,
    h("button", { type: "button", class: "quiet", onclick: save }, "Save CSV"),
  );
  return h(
    "div",
    { class: "table-box" },
    h(
      "div",
      { class: "scroll", tabindex: 0 },
      h("table", { class: "grid" }, h("thead", {}, h("tr", {}, ...heads)), body),
    ),
    tools,
  );
}
