// Experiments and the papers' tables: what the records say, down to single games that open on the board.

import { written } from "./address";
import {
  get,
  post,
  type CellGames,
  type Choices,
  type Experiment,
  type Experiments,
  type Listed,
  type PaperOverview,
  type PlayedGame,
  type Recorded,
  type Report,
  type Stand,
} from "./api";
import { chart, type Series } from "./chart";
import { grouped, h, notice, percent, reason } from "./dom";
import { table } from "./grid";
import { Runs } from "./runs";
import { keep } from "./sheets";

/** How often an experiment that is being played is looked at. */
const REFRESH = 3000;

/** Games beyond this number are shown on further pages. */
const PAGE = 200;

/** Experiments beyond this number are shown on further pages. */
const EXPERIMENTS = 60;

const link = (...path: string[]) => `#/${path.map(encodeURIComponent).join("/")}`;

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

/** What is seen until there is something to see. */
function skeleton(): HTMLElement {
  return h(
    "div",
    { class: "skeleton", role: "status" },
    h("span", { class: "unseen" }, "Loading"),
    h("div"),
    h("div"),
    h("div"),
  );
}

/** Links to the pages of a list; nothing if there is only one. */
function pages(total: number, size: number, from: number, href: (first: number) => string): HTMLElement | null {
  if (total <= size) return null;
  const page = (number: number) => {
    const first = number * size;
    const text = `${first} to ${Math.min(total, first + size) - 1}`;
    return h("a", { href: href(first), "aria-current": first === from ? "page" : false }, text);
  };
  return h("p", { class: "pages" }, ...Array.from({ length: Math.ceil(total / size) }, (_, number) => page(number)));
}

/** How the first player stood over the games: its share of the points, and the difference in Elo that it means. */
function curves(stands: Stand[], player: string): HTMLElement {
  const line = (name: string, y: (stand: Stand) => number, colour: string): Series => ({
    name,
    points: stands.map((stand) => ({ x: stand.games, y: y(stand) })),
    colour,
  });
  const elo = (rate: number) => Math.max(-800, Math.min(800, 400 * Math.log10(rate / (1 - rate))));
  const bounds = (value: (rate: number) => number) => [
    line("upper bound (95 %)", (stand) => value(stand.high), "var(--s6)"),
    line("lower bound (95 %)", (stand) => value(stand.low), "var(--s6)"),
  ];
  const share = (rate: number) => rate;
  const signed = (value: number) => `${value > 0 ? "+" : ""}${value.toFixed(0)}`;
  return h(
    "div",
    { class: "curves" },
    h(
      "figure",
      {},
      h("figcaption", {}, `Points of ${player} over the games`),
      chart([line(player, (stand) => stand.rate, "var(--s0)"), ...bounds(share)], {
        label: `Points of ${player} over the games, with 95 % intervals`,
        range: [0, 1],
        format: percent,
      }),
    ),
    h(
      "figure",
      {},
      h("figcaption", {}, "Difference in Elo"),
      chart([line(player, (stand) => elo(stand.rate), "var(--s0)"), ...bounds(elo)], {
        label: `Difference in Elo over the games, with 95 % intervals`,
        format: signed,
      }),
    ),
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
  private readonly runs: Runs;

  constructor(choices: Choices) {
    this.runs = new Runs(choices, (name) => link("results", name));
  }

  /** Shows the part of the results that a path names. */
  async visit(path: string[]): Promise<void> {
    this.leave();
    this.visits += 1;
    const visit = this.visits;
    this.element.replaceChildren(skeleton());
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
    else if (!name || name === "page") await this.list(Number(cell ?? 0) || 0);
    else if (!cell) await this.experiment(name);
    else await this.cell(name, cell, Number(rest ?? 0));
  }

  leave(): void {
    clearTimeout(this.timer);
    this.runs.leave();
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

  /** The form for new runs is not touched when the experiments are looked at again: somebody may be typing. */
  private async list(from: number, shown?: HTMLElement): Promise<void> {
    const place = shown ?? h("div", {}, skeleton());
    if (!shown) this.show("Experiments", [], this.runs.element, place);
    const known = this.runs.refresh().catch(() => undefined);
    const { folder, experiments, total } = await this.ask<Experiments>(`api/results?from=${from}&count=${EXPERIMENTS}`);
    await known;
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
      { class: "none" },
      `There are no records in the folder "${folder}" yet. Start a match above, or play an experiment with `,
      h("code", {}, "ludens experiment run FILE"),
      ", and watch it here.",
    );
    const turn = pages(total, EXPERIMENTS, from, (first) => link("results", "page", String(first)));
    place.replaceChildren(
      experiments.length > 0 ? h("ul", { class: "cards" }, ...experiments.map(row)) : none,
      ...(turn ? [turn] : []),
    );
    if (experiments.some((entry) => "live" in entry && entry.live)) this.again(() => this.list(from, place));
  }

  private async experiment(name: string): Promise<void> {
    const told = await this.ask<Experiment>(`api/results/${encodeURIComponent(name)}`);
    const goOn = h("button", { type: "button", onclick: () => void this.goOn(name) }, "Play what is left");
    const state = h(
      "p",
      {},
      progress(told.games, told.wanted),
      told.live ? " – being played now" : told.games < told.wanted ? goOn : "",
    );
    this.show(
      told.title,
      [["Experiments", "#/results"]],
      state,
      ...blocks(told, (row) => (told.cells[row] ? link("results", name, told.cells[row]) : null)),
    );
    if (told.live) this.again(() => this.experiment(name));
  }

  /** Lets the server play what is left of an experiment, and watches it. */
  private async goOn(name: string): Promise<void> {
    try {
      await post(`api/runs/${encodeURIComponent(name)}/start`, {});
      location.hash = "#/results";
    } catch (error) {
      notice(reason(error));
    }
  }

  private async cell(name: string, id: string, from: number): Promise<void> {
    const { cell, games, total, curve } = await this.ask<CellGames>(
      `api/results/${encodeURIComponent(name)}/${id}?from=${from}&count=${PAGE}`,
    );
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
      curve.length > 1 ? curves(curve, cell.players[0]?.name ?? "the first player") : null,
      h(
        "div",
        { class: "scroll" },
        h("table", { class: "grid" }, h("thead", {}, head), h("tbody", {}, ...games.map(row))),
      ),
      pages(total, PAGE, from, (first) => link("results", name, id, String(first))),
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
        "The published figures of every table beside ours. Measure a table with ",
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
      if (!this.element.isConnected) return;
      // A link that is replaced while it is pressed is not followed.
      if (this.element.querySelector(":active")) this.again(look);
      // A server that is away for a moment is asked again at the next visit.
      else look().catch(() => undefined);
    }, REFRESH);
  }
}
