// A game under way: the moves so far, who sits where, and the loop that lets players think.
//
// All of the game is here. The server is asked what a position is and what a player thinks of it, and can be restarted at
// any time.

import { position as askPosition, think, type Position, type Thought } from "./api";
import { reason } from "./dom";

/** Who sits at a role: `person`, `random`, or the text of a player. */
export type Seat = string;
export const PERSON = "person";
export const RANDOM = "random";

/** What a player thought before a step. */
export interface Opinion {
  role: number;
  player: string;
  move: string | null;
  thought: Thought;
  /** Why the search has ended before its budget did. */
  cut: string | null;
  /** The playout policy's weights over the search: after so many simulations, by move. */
  history: { simulations: number; weights: Map<string, number> }[];
}

export interface Setting {
  game: string;
  seats: Seat[];
  budget: string;
}

export type Happening = "position" | "thought" | "seats" | "trouble";

function randomSeed(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0]!;
}

/** A name that nobody else has. `crypto.randomUUID` is missing where the page is not reached as localhost. */
function newTable(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join("-");
}

export class Match {
  position!: Position;
  moves: string[] = [];
  seats: Seat[] = [];
  budget = "ms=1000";
  seed = randomSeed();
  isPaused = false;
  /** The role that gave up. */
  resigned: number | null = null;
  /** Opinions by the step before which they were held. */
  opinions = new Map<number, Opinion>();
  /** The role that thinks now, and how many searches it waits for. */
  thinking: { role: number; ahead: number } | null = null;
  trouble = "";
  private table = newTable();
  private chosen = new Map<number, string>();
  private abort = new AbortController();
  private turn = 0;

  constructor(private readonly hear: (what: Happening) => void) {}

  get cursor(): number {
    return this.position.moves.length;
  }

  /** What was thought about the position, or else before the step that led to it. */
  get opinion(): Opinion | undefined {
    return this.opinions.get(this.cursor) ?? this.opinions.get(this.cursor - 1);
  }

  get isAtEnd(): boolean {
    return this.cursor === this.moves.length;
  }

  get isOver(): boolean {
    return this.isAtEnd && (this.position.scores !== null || this.resigned !== null);
  }

  /** The scores at the end; whoever gives up loses against everybody. */
  get scores(): number[] | null {
    if (!this.isAtEnd) return null;
    if (this.resigned !== null) return this.position.roles.map((_, role) => (role === this.resigned ? 0 : 1));
    return this.position.scores;
  }

  /** The person who is to move: the first that has not chosen. */
  get person(): number | null {
    if (this.isOver) return null;
    return this.position.deciders.find((role) => this.seats[role] === PERSON && !this.chosen.has(role)) ?? null;
  }

  /** Begins a game, after some moves. */
  async begin(setting: Setting, moves: string[] = [], cursor = moves.length): Promise<void> {
    const turn = this.halt();
    const last = await askPosition(setting.game, moves);
    const position = cursor === moves.length ? last : await askPosition(setting.game, moves.slice(0, cursor));
    if (turn !== this.turn) return;
    this.position = position;
    this.moves = last.moves;
    this.seats = position.roles.map(
      (_, role) => setting.seats[role] ?? setting.seats[setting.seats.length - 1] ?? PERSON,
    );
    this.budget = setting.budget;
    this.seed = randomSeed();
    this.table = newTable();
    this.chosen.clear();
    this.resigned = null;
    this.opinions.clear();
    this.isPaused = false;
    this.hear("seats");
    this.hear("position");
    await this.run();
  }

  /** A person plays a move. Where others were played from here, they are forgotten. */
  async play(name: string): Promise<void> {
    const role = this.person;
    if (role === null) return;
    this.halt();
    if (!this.isAtEnd) this.cut();
    this.isPaused = false;
    this.chosen.set(role, name);
    await this.run();
  }

  /** Looks at another step of the game. Players wait meanwhile. */
  async look(step: number): Promise<void> {
    const turn = this.halt();
    await this.show(Math.min(Math.max(step, 0), this.moves.length), turn);
    if (turn === this.turn && this.isAtEnd) await this.run();
  }

  /** Takes steps back until a person decides again, or one step if there is none. */
  async undo(): Promise<void> {
    if (this.cursor === 0) return;
    const turn = this.halt();
    this.resigned = null;
    let step = this.cursor;
    do {
      step -= 1;
      await this.show(step, turn);
      if (turn !== this.turn) return;
    } while (this.person === null && this.seats.includes(PERSON) && step > 0);
    this.cut();
    this.isPaused = !this.seats.includes(PERSON);
    this.hear("position");
    await this.run();
  }

  /** Goes on from the step that is shown. */
  async goOn(): Promise<void> {
    this.halt();
    if (!this.isAtEnd) this.cut();
    this.isPaused = false;
    this.hear("position");
    await this.run();
  }

  /** Players stop thinking until they are let go on. */
  pause(): void {
    this.halt();
    this.isPaused = true;
    this.hear("position");
  }

  resign(): void {
    const role = this.person ?? this.position.deciders[0];
    if (role === undefined || this.isOver) return;
    this.halt();
    this.resigned = role;
    this.hear("position");
  }

  /** Everybody moves on by one seat. */
  async swap(): Promise<void> {
    const last = this.seats[this.seats.length - 1];
    if (last === undefined) return;
    await this.seat([last, ...this.seats.slice(0, -1)], this.budget);
  }

  /** Somebody else sits down at one role. */
  async sit(role: number, seat: Seat): Promise<void> {
    this.halt();
    this.chosen.delete(role);
    this.seats = this.seats.with(role, seat);
    this.isPaused = false;
    this.hear("position");
    await this.run();
  }

  /** Others sit down, or may think for longer. */
  async seat(seats: Seat[], budget: string): Promise<void> {
    this.halt();
    this.chosen.clear();
    this.seats = seats;
    this.budget = budget;
    this.hear("seats");
    this.hear("position");
    await this.run();
  }

  /** What a player thinks of the position that is shown, without playing. */
  async analyse(player: string): Promise<void> {
    const role = this.position.deciders[0];
    if (role === undefined) return;
    const turn = this.halt();
    this.isPaused = true;
    await this.ask(role, player, null, turn);
    if (turn === this.turn) this.hear("position");
  }

  /** Ends the search: while a player is to move, it plays the best that it has found. */
  stop(): void {
    const role = this.thinking?.role;
    const opinion = this.opinions.get(this.cursor);
    // Where several roles decide at once the opinion may still be that of the one before.
    const best = opinion?.role === role ? opinion?.thought.arms[0]?.move : undefined;
    this.halt();
    if (role !== undefined && best !== undefined && !this.isPaused) {
      this.chosen.set(role, best);
      void this.run();
    } else {
      this.isPaused = true;
      this.hear("position");
    }
  }

  private halt(): number {
    this.abort.abort();
    this.abort = new AbortController();
    this.thinking = null;
    this.trouble = "";
    this.turn += 1;
    return this.turn;
  }

  private cut(): void {
    this.moves = this.moves.slice(0, this.cursor);
    this.chosen.clear();
    this.resigned = null;
    for (const step of [...this.opinions.keys()]) if (step >= this.cursor) this.opinions.delete(step);
  }

  private async show(step: number, turn: number): Promise<void> {
    const position = await askPosition(this.position.game, this.moves.slice(0, step));
    if (turn !== this.turn) return;
    this.position = position;
    this.chosen.clear();
    this.hear("position");
  }

  /** Lets everybody who is no person think, step by step, until a person is to move or the game is over. */
  private async run(): Promise<void> {
    const turn = this.turn;
    try {
      while (turn === this.turn && this.isAtEnd && !this.isOver && !this.isPaused && this.person === null) {
        const role = this.position.deciders.find((role) => !this.chosen.has(role));
        if (role === undefined) {
          await this.step(turn);
          continue;
        }
        const move = await this.ask(role, this.seats[role]!, this.table, turn);
        if (move === null) return;
        this.chosen.set(role, move);
      }
      if (turn === this.turn) this.hear("position");
    } catch (error) {
      if (turn !== this.turn) return;
      this.isPaused = true;
      this.trouble = reason(error);
      this.hear("trouble");
      this.hear("position");
    }
  }

  /** Plays the moves that were chosen, and the only move of everybody else. */
  private async step(turn: number): Promise<void> {
    const { movers, legal, game } = this.position;
    const text = movers.map((role) => this.chosen.get(role) ?? legal[role]![0]!.name).join(" / ");
    const position = await askPosition(game, [...this.moves, text]);
    if (turn !== this.turn) return;
    this.chosen.clear();
    this.moves = position.moves;
    this.position = position;
    this.hear("position");
  }

  private async ask(role: number, player: string, table: string | null, turn: number): Promise<string | null> {
    const step = this.cursor;
    const history: Opinion["history"] = [];
    const note = (thought: Thought, move: string | null = null, cut: string | null = null) => {
      if (turn !== this.turn) return;
      history.push({
        simulations: thought.simulations,
        weights: new Map(thought.policy.map((weight) => [weight.move, weight.value])),
      });
      this.opinions.set(step, { role, player, move, thought, cut, history });
      this.hear("thought");
    };
    this.thinking = { role, ahead: 0 };
    this.hear("thought");
    const question = {
      game: this.position.game,
      moves: this.moves.slice(0, step),
      role,
      player,
      budget: this.budget,
      seed: this.seed,
      table,
    };
    const listener = {
      waiting: (ahead: number) => {
        if (turn !== this.turn) return;
        this.thinking = { role, ahead };
        this.hear("thought");
      },
      report: (thought: Thought) => note(thought),
    };
    try {
      const { move, thought, cut } = await think(question, listener, this.abort.signal);
      if (turn !== this.turn) return null;
      this.thinking = null;
      if (thought.simulations > 0) note(thought, move, cut);
      return move;
    } catch (error) {
      if (turn !== this.turn) return null;
      // Whoever asked tells the reason; nobody thinks any more.
      this.thinking = null;
      this.hear("thought");
      throw error;
    }
  }
}
