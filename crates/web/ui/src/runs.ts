// Matches and experiments that are started from the page.

import { get, post, type Choices, type Run } from "./api";
import { grouped, h, reason } from "./dom";
import { budgetTrouble } from "./settings";

/** How often runs under way are looked at. */
const REFRESH = 1000;

const STATES: Record<Run["state"], string> = {
  waiting: "waits for its turn",
  running: "is being played",
  paused: "is paused",
  done: "is complete",
  failed: "has failed",
};

export class Runs {
  readonly element: HTMLElement;
  private readonly list = h("ul", { class: "runs" });
  private readonly error = h("p", { class: "error", role: "alert", hidden: true });
  private rows: Row[] = [];
  private timer = 0;
  private asked = 0;

  constructor(
    private readonly choices: Choices,
    private readonly href: (name: string) => string,
  ) {
    this.element = h(
      "section",
      { class: "panel", "aria-labelledby": "runs-title" },
      h("h2", { id: "runs-title" }, "Play a match or an experiment"),
      this.form(),
      this.error,
      this.list,
    );
  }

  leave(): void {
    clearTimeout(this.timer);
  }

  async refresh(): Promise<void> {
    await this.showAnswer(() => get<Run[]>("api/runs"));
  }

  /** Shows what the server answers, unless it was asked something else meanwhile. */
  private async showAnswer(ask: () => Promise<Run[]>): Promise<void> {
    this.asked += 1;
    const turn = this.asked;
    const runs = await ask();
    if (turn === this.asked) this.show(runs);
  }

  private form(): HTMLElement {
    const field = (label: string, input: HTMLElement) => h("label", { class: "field" }, h("span", {}, label), input);
    const games = h("input", { name: "games", value: "breakthrough:6", list: "run-games", required: true });
    const players = [
      h("input", { name: "first", value: "uct+mast", list: "run-players", required: true }),
      h("input", { name: "second", value: "uct", list: "run-players", required: true }),
    ];
    const budget = h("input", { name: "budget", value: "sims=200", required: true });
    const count = h("input", { name: "count", type: "number", min: 1, value: 200, required: true });
    const name = h("input", { name: "name", placeholder: "named after the players" });
    const sprt = h("input", { type: "checkbox", name: "sprt" });
    const list = (id: string, values: string[]) =>
      h("datalist", { id }, ...values.map((value) => h("option", { value })));
    const submit = async () => {
      const texts = (input: HTMLInputElement) => input.value.split(/[\s;]+/).filter(Boolean);
      const [unit = "", amount = ""] = budget.value.split("=");
      const trouble = budgetTrouble(unit, amount);
      if (trouble) throw new Error(`${trouble} Write it as sims=200 or ms=100.`);
      const specs = players.map((player) => player.value.trim());
      const found = `${specs.join("-vs-")}-${games.value}-${budget.value}`.replace(/[^A-Za-z0-9.-]+/g, "_");
      await this.act("api/runs", {
        name: name.value.trim() || found,
        games: texts(games),
        budgets: [budget.value.trim()],
        players: specs,
        games_per_cell: Number(count.value),
        sprt: sprt.checked,
      });
    };
    return h(
      "form",
      {
        class: "run-form",
        onsubmit: (event) => {
          event.preventDefault();
          void submit().catch((error: unknown) => this.tell(reason(error)));
        },
      },
      list(
        "run-games",
        this.choices.games.map((game) => game.name),
      ),
      list("run-players", [
        ...this.choices.presets.map((preset) => preset.name),
        ...this.choices.policies.map((policy) => `uct+${policy.name}`),
      ]),
      field("Games, separated by spaces", games),
      field("First player", players[0]!),
      field("Second player", players[1]!),
      field("Budget per move", budget),
      field("Number of games", count),
      field("Name", name),
      h("label", { class: "param" }, sprt, "stop early, once a sequential test (0 against 30 Elo) decides"),
      h("button", { class: "main" }, "Start"),
    );
  }

  private tell(text: string): void {
    this.error.textContent = text;
    this.error.hidden = text === "";
  }

  private async act(path: string, body: unknown): Promise<void> {
    this.tell("");
    try {
      await this.showAnswer(async () => (await post(path, body)).json() as Promise<Run[]>);
    } catch (error) {
      this.tell(reason(error));
    }
  }

  private show(runs: Run[]): void {
    const before = this.rows;
    this.rows = runs.map((run) => before.find((row) => row.isOf(run)) ?? this.row(run));
    this.rows.forEach((row, place) => row.count(runs[place]!));
    const isSame = this.rows.length === before.length && this.rows.every((row, place) => row === before[place]);
    if (!isSame) this.list.replaceChildren(...this.rows.map((row) => row.element));
    clearTimeout(this.timer);
    if (runs.some((run) => run.state === "running" || run.state === "waiting"))
      this.timer = window.setTimeout(() => {
        // A server that is away for a moment is asked again at the next visit.
        if (this.element.isConnected) this.refresh().catch(() => undefined);
      }, REFRESH);
  }

  private row(run: Run): Row {
    const path = (action: string) => `api/runs/${encodeURIComponent(run.name)}/${action}`;
    const button = (text: string, action: string) =>
      h("button", { type: "button", onclick: () => void this.act(path(action), {}) }, text);
    const isGoing = run.state === "running" || run.state === "waiting";
    return new Row(run, this.href(run.name), [
      isGoing ? button("Pause", "pause") : run.state === "done" ? "" : button("Go on", "start"),
      button("Stop", "stop"),
    ]);
  }
}

/** A run in the list. It stays while only games are added: a button that is replaced under the mouse misses the click. */
class Row {
  readonly element: HTMLElement;
  private readonly progress: HTMLProgressElement;
  private readonly games = h("span");

  constructor(
    private readonly run: Run,
    href: string,
    buttons: (HTMLElement | string)[],
  ) {
    this.progress = h("progress", { max: run.wanted, "aria-label": `Games of ${run.name}` });
    this.element = h(
      "li",
      { "data-run": run.name },
      h("a", { href }, run.name),
      ` ${STATES[run.state]} `,
      this.progress,
      " ",
      this.games,
      " ",
      ...buttons,
      run.error === null ? null : h("p", { class: "error" }, run.error),
    );
  }

  /** Whether this row shows the run as it is, apart from its games. */
  isOf({ name, state, error, wanted }: Run): boolean {
    const { run } = this;
    return name === run.name && state === run.state && error === run.error && wanted === run.wanted;
  }

  count(run: Run): void {
    this.progress.value = run.games;
    this.games.textContent = `${grouped(run.games)} of ${grouped(run.wanted)} games`;
  }
}
