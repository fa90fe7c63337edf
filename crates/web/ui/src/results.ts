// Experiments and the papers' tables: what the records say, down to single games that open on the board.

import { written } from "./address";
import {
  get,
  type CellGames,
  type Experiment,
  type Experiments,
  type Grid,
  type Listed,
  type PaperOverview,
  type PlayedGame,
  type Recorded,
  type Report,
} from "./api";
import { grouped, h, notice, percent, reason } from "./dom";
import { keep } from "./sheets";

/** How often an experiment that is being played is looked at. */
const REFRESH = 3000;

/** Games beyond this number are shown on further pages. */
const PAGE = 200;

const link = (...path: string[]) => `#/${path.map(encodeURIComponent).join("/")}`;

function table(grid: Grid, href?: (row: number) => string | null): HTMLElement {
  const kind = (column: number) => (grid.columns[column]?.number ? "number" : "");
  const verdicts = ["agrees", "same side", "differs"];
  const cell = (text: string, column: number, row: number) => {
    const target = column === 0 ? (href?.(row) ?? null) : null;
    const content = target
      ? h("a", { href: target }, text)
      : verdicts.includes(text)
        ? h("span", { class: text.replace(" ", "-") }, text)
        : text;
    return h("td", { class: kind(column) }, content);
  };
  const head = h(
    "tr",
    {},
    ...grid.columns.map((column, place) => h("th", { class: kind(place), scope: "col" }, column.title)),
  );
  const rows = grid.rows.map((row, number) => h("tr", {}, ...row.map((text, column) => cell(text, column, number))));
  return h("div", { class: "scroll" }, h("table", { class: "grid" }, h("thead", {}, head), h("tbody", {}, ...rows)));
}

function plot(svg: string): HTMLElement {
  const figure = h("figure", { class: "scroll" });
  // The server draws plots from numbers and escapes the texts in them.
  figure.innerHTML = svg;
  return figure;
}

function blocks(told: Report, href?: (row: number) => string | null): HTMLElement[] {
  let isFirst = true;
  return told.blocks.map((block) => {
    if ("heading" in block) return h("h2", {}, block.heading);
    if ("text" in block) return h("p", { class: "text" }, block.text);
    if ("plot" in block) return plot(block.plot);
    const links = isFirst ? href : undefined;
    isFirst = false;
    return table(block.table, links);
  });
}

function progress(games: number, wanted: number): HTMLElement {
  const share = wanted > 0 ? games / wanted : 0;
  return h(
    "span",
    { class: "progress" },
    h("progress", { max: 1, value: share, "aria-label": "Games played" }),
    ` ${grouped(games)} of ${grouped(wanted)} games (${percent(share)})`,
  );
}

const ago = (seconds: number | null) =>
  seconds === null
    ? ""
    : seconds < 60
      ? "just now"
      : seconds < 3600
        ? `${Math.floor(seconds / 60)} min ago`
        : seconds < 86400
          ? `${Math.floor(seconds / 3600)} h ago`
          : `${Math.floor(seconds / 86400)} days ago`;

export class ResultsPage {
  readonly element = h("div", { class: "results" });
  private timer = 0;
  private visits = 0;

  /** Shows the part of the results that a path names. */
  async visit(path: string[]): Promise<void> {
    this.leave();
    this.visits += 1;
    const visit = this.visits;
    try {
      await this.turnTo(path);
    } catch (error) {
      // What was shown before is not what was asked for.
      if (visit === this.visits) this.element.replaceChildren();
      throw error;
    }
  }

  private async turnTo([page, name, cell, rest]: string[]): Promise<void> {
    if (page === "papers") await (name ? this.paper(name) : this.papers());
    else if (!name) await this.list();
    else if (!cell) await this.experiment(name);
    else await this.cell(name, cell, Number(rest ?? 0));
  }

  leave(): void {
    clearTimeout(this.timer);
  }

  private show(title: string, trail: [string, string][], ...children: (HTMLElement | null)[]): void {
    const path = trail.flatMap(([text, href]) => [h("a", { href }, text), " › "]);
    this.element.replaceChildren(
      h("p", { class: "trail" }, ...path),
      h("h1", {}, title),
      ...children.filter((child) => child !== null),
    );
  }

  /** Asks the server. Whoever has gone on to another page meanwhile never hears of it. */
  private async ask<T>(path: string): Promise<T> {
    const visit = this.visits;
    const answer = await get<T>(path);
    return visit === this.visits ? answer : new Promise(() => undefined);
  }

  private async list(): Promise<void> {
    const { folder, experiments } = await this.ask<Experiments>("api/results");
    const row = (entry: Listed) =>
      "error" in entry
        ? h("li", { class: "panel" }, h("h2", {}, entry.name), h("p", { class: "error" }, entry.error))
        : h(
            "li",
            { class: "panel" },
            h("h2", {}, h("a", { href: link("results", entry.name) }, entry.name)),
            h("p", {}, entry.about),
            progress(entry.games, entry.wanted),
            h("p", { class: "quiet" }, `${entry.cells} cells, last game ${ago(entry.age)}`),
          );
    const none = h(
      "p",
      {},
      `There are no records in the folder "${folder}" yet. Play an experiment with `,
      h("code", {}, "ludens experiment run FILE"),
      ", and watch it here.",
    );
    this.show("Experiments", [], experiments.length > 0 ? h("ul", { class: "cards" }, ...experiments.map(row)) : none);
    if (experiments.some((entry) => "live" in entry && entry.live)) this.again(() => this.list());
  }

  private async experiment(name: string): Promise<void> {
    const told = await this.ask<Experiment>(`api/results/${encodeURIComponent(name)}`);
    const state = h("p", {}, progress(told.games, told.wanted), told.live ? " – being played now" : "");
    this.show(
      told.title,
      [["Experiments", "#/results"]],
      state,
      ...blocks(told, (row) => (told.cells[row] ? link("results", name, told.cells[row]) : null)),
    );
    if (told.live) this.again(() => this.experiment(name));
  }

  private async cell(name: string, id: string, from: number): Promise<void> {
    const { cell, games } = await this.ask<CellGames>(`api/results/${encodeURIComponent(name)}/${id}`);
    const seat = (game: PlayedGame) => game.seats.map((player) => cell.players[player]?.name ?? "?").join(", ");
    const open = (game: PlayedGame) =>
      h("button", { type: "button", onclick: () => void this.open(name, id, game.index) }, `Game ${game.index}`);
    const row = (game: PlayedGame) =>
      h(
        "tr",
        {},
        h("td", {}, open(game)),
        h("td", {}, seat(game)),
        h("td", {}, game.scores.map((score) => score.toLocaleString("en")).join(" : ")),
        h("td", { class: "number" }, game.steps),
        h("td", {}, game.end),
      );
    const head = h(
      "tr",
      {},
      ...["game", "seats", "scores", "steps", "end"].map((title) => h("th", { scope: "col" }, title)),
    );
    const page = games.slice(from, from + PAGE);
    const pages = Array.from({ length: Math.ceil(games.length / PAGE) }, (_, number) =>
      h(
        "a",
        {
          href: link("results", name, id, String(number * PAGE)),
          "aria-current": number * PAGE === from ? "page" : false,
        },
        `${number * PAGE} to ${Math.min(games.length, (number + 1) * PAGE) - 1}`,
      ),
    );
    this.show(
      `${cell.game}, ${cell.budget}`,
      [
        ["Experiments", "#/results"],
        [name, link("results", name)],
      ],
      h(
        "dl",
        { class: "players" },
        ...cell.players.flatMap((player) => [h("dt", {}, player.name), h("dd", {}, h("code", {}, player.spec))]),
      ),
      h(
        "div",
        { class: "scroll" },
        h("table", { class: "grid" }, h("thead", {}, head), h("tbody", {}, ...page.map(row))),
      ),
      pages.length > 1 ? h("p", { class: "pages" }, ...pages) : null,
    );
  }

  /** Opens a recorded game on the board, at its start. */
  private async open(name: string, id: string, index: number): Promise<void> {
    try {
      const { cell, game, opens, sheet } = await get<Recorded>(
        `api/results/${encodeURIComponent(name)}/${id}/${index}`,
      );
      if (sheet) keep({ game: opens, ...sheet });
      const players = game.seats.map((player) => cell.players[player]?.name ?? "?").join(" against ");
      const about = `Game ${index} of ${name}: ${players}, ${cell.budget}`;
      location.hash = written({ game: opens, moves: game.moves, step: 0, about });
    } catch (error) {
      notice(reason(error));
    }
  }

  private async papers(): Promise<void> {
    const papers = await this.ask<PaperOverview[]>("api/papers");
    const section = (paper: (typeof papers)[number]) =>
      h(
        "section",
        {},
        h("h2", {}, h("a", { href: link("papers", paper.name) }, paper.name)),
        h("p", { class: "text" }, paper.citation),
        table(paper.overview),
      );
    this.show(
      "The papers, measured again",
      [],
      h(
        "p",
        { class: "text" },
        "Published figures beside ours, for every table. Measure one with ",
        h("code", {}, "ludens reproduce PAPER/TABLE"),
        ".",
      ),
      ...papers.map(section),
    );
  }

  private async paper(name: string): Promise<void> {
    const told = await this.ask<Report>(`api/papers/${encodeURIComponent(name)}`);
    this.show(told.title, [["Papers", "#/papers"]], ...blocks(told));
  }

  private again(look: () => Promise<void>): void {
    this.timer = window.setTimeout(() => {
      // A server that is away for a moment is asked again at the next visit.
      if (this.element.isConnected) look().catch(() => undefined);
    }, REFRESH);
  }
}
