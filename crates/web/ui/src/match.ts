// A game under way: the tree of moves so far, who sits where, and the loop that lets players think.
//
// All of the game is here. The server is asked what a position is and what a player thinks of it, and can be restarted at
// any time.

import { position as askPosition, think, type Position, type Thought } from "./api";
import { reason } from "./dom";
import { keepGame, keptGame } from "./kept";
import { playerOf } from "./levels";
import { Notation } from "./notation";
import { Node, restore, save, type Opinion } from "./tree";

/** Who sits at a role: `person`, `random`, a level, or the text of a player. */
export type Seat = string;
export const PERSON = "person";
export const RANDOM = "random";

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
  seats: Seat[] = [];
  budget = "ms=1000";
  seed = randomSeed();
  isPaused = false;
  /** The role that has lost without being beaten, and how: it resigned, or its time was up. */
  lost: { role: number; how: string } | null = null;
  /** The role that thinks now, and how many searches it waits for. */
  thinking: { role: number; ahead: number } | null = null;
  trouble = "";
  notation = new Notation();
  root = new Node("", null);
  /** The end of the line of moves that is shown. */
  private tip = this.root;
  private table = newTable();
  private chosen = new Map<number, string>();
  private abort = new AbortController();
  private turn = 0;

  constructor(private readonly hear: (what: Happening) => void) {}

  /** The positions of the line that is shown, after its first step to its last. */
  get line(): Node[] {
    return this.tip.line;
  }

  get moves(): string[] {
    return this.line.map((node) => node.move);
  }

  get cursor(): number {
    return this.position.moves.length;
  }

  /** The position that is shown, in the tree. */
  get here(): Node {
    return this.cursor === 0 ? this.root : (this.line[this.cursor - 1] ?? this.tip);
  }

  /** What was thought along the line, by step. */
  get opinions(): Map<number, Opinion> {
    const nodes = [this.root, ...this.line];
    return new Map(nodes.flatMap((node, step) => (node.opinion ? [[step, node.opinion] as const] : [])));
  }

  /** What was thought about the position, or else before the step that led to it. */
  get opinion(): Opinion | null {
    return this.here.opinion ?? this.here.parent?.opinion ?? null;
  }

  get isAtEnd(): boolean {
    return this.cursor === this.line.length;
  }

  get isOver(): boolean {
    return this.isAtEnd && (this.position.scores !== null || this.lost !== null);
  }

  /** The scores at the end; whoever gives up loses against everybody. */
  get scores(): number[] | null {
    if (!this.isAtEnd) return null;
    if (this.lost !== null) return this.position.roles.map((_, role) => (role === this.lost!.role ? 0 : 1));
    return this.position.scores;
  }

  /** The person who is to move: the first that has not chosen. */
  get person(): number | null {
    if (this.isOver) return null;
    return this.position.deciders.find((role) => this.seats[role] === PERSON && !this.chosen.has(role)) ?? null;
  }

  /** The moves that people have chosen while others still decide. */
  get pending(): { role: number; move: string }[] {
    return [...this.chosen].filter(([role]) => this.seats[role] === PERSON).map(([role, move]) => ({ role, move }));
  }

  /** Whether a person has moved, and the game is not over: somebody may miss it. */
  get isMissed(): boolean {
    return this.position !== undefined && this.line.length > 1 && !this.isOver && this.seats.includes(PERSON);
  }

  /** Begins a game, after some moves. */
  async begin(setting: Setting, moves: string[] = [], cursor = moves.length): Promise<void> {
    const turn = this.halt();
    const last = await askPosition(setting.game, moves);
    const position = cursor >= moves.length ? last : await askPosition(setting.game, moves.slice(0, cursor));
    if (turn !== this.turn) return;
    const isSameGame = this.position?.game === position.game;
    this.position = position;
    this.seats = position.roles.map(
      (_, role) => setting.seats[role] ?? setting.seats[setting.seats.length - 1] ?? PERSON,
    );
    this.budget = setting.budget;
    this.seed = randomSeed();
    const kept = keptGame(position.game, last.moves);
    this.table = kept?.id ?? newTable();
    this.root = new Node("", null);
    this.tip = last.moves.reduce((node, move) => node.child(move), this.root);
    this.tip.scores = last.scores;
    if (kept) restore(this.root, kept.tree);
    this.chosen.clear();
    this.lost = null;
    this.isPaused = false;
    if (!isSameGame) this.notation = new Notation();
    this.learn();
    this.hear("seats");
    this.hear("position");
    await this.run();
  }

  /** A person plays a move. Others that were played from here stay as variations. */
  async play(name: string): Promise<void> {
    const role = this.person;
    if (role === null) return;
    this.halt();
    this.tip = this.here;
    this.lost = null;
    this.isPaused = false;
    this.chosen.set(role, name);
    this.hear("position");
    await this.run();
  }

  /** A person thinks better of a move that was chosen while others still decide. */
  async takeBack(): Promise<void> {
    this.halt();
    this.chosen.clear();
    this.hear("position");
    await this.run();
  }

  /** Looks at another step of the game. Players wait meanwhile. */
  async look(step: number): Promise<void> {
    const turn = this.halt();
    await this.show(Math.min(Math.max(step, 0), this.line.length), turn);
    if (turn === this.turn && this.isAtEnd) await this.run();
  }

  /** Goes to a position of the tree, and shows the line that leads through it. */
  async visit(node: Node): Promise<void> {
    if (node !== this.root && !this.line.includes(node)) {
      this.tip = node.end;
      this.isPaused = true;
    }
    await this.look(node.line.length);
  }

  /** Plays moves out on the board, as a variation. Players do not answer. */
  async follow(moves: string[]): Promise<void> {
    const turn = this.halt();
    const position = await askPosition(this.position.game, [...this.position.moves, ...moves]);
    if (turn !== this.turn) return;
    this.tip = position.moves.reduce((node, move) => node.child(move), this.root);
    this.isPaused = true;
    this.position = position;
    this.arrive();
  }

  /** Takes steps back until a person decides again, or one step if there is none. */
  async undo(): Promise<void> {
    if (this.cursor === 0) return;
    const turn = this.halt();
    this.lost = null;
    let step = this.cursor;
    do {
      step -= 1;
      await this.show(step, turn);
      if (turn !== this.turn) return;
    } while (this.person === null && this.seats.includes(PERSON) && step > 0);
    this.tip = this.here;
    this.isPaused = !this.seats.includes(PERSON);
    this.hear("position");
    await this.run();
  }

  /** Goes on from the step that is shown. */
  async goOn(): Promise<void> {
    this.halt();
    if (!this.isAtEnd) this.lost = null;
    this.tip = this.here;
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

  /** A role has lost: it gives up, or its time is up. */
  lose(role: number | undefined, how: string): void {
    if (role === undefined || this.isOver) return;
    this.halt();
    this.lost = { role, how };
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
    try {
      await this.ask(role, player, null, turn);
    } finally {
      if (turn === this.turn) this.hear("position");
    }
  }

  /** Ends the search: while a player is to move, it plays the best that it has found. */
  stop(): void {
    const role = this.thinking?.role;
    // Between two moves of engines.
    if (role === undefined) return;
    const opinion = this.here.opinion;
    // Where several roles decide at once the opinion may still be that of the one before.
    const best = opinion?.role === role ? opinion?.thought.arms[0]?.move : undefined;
    this.halt();
    if (best !== undefined && !this.isPaused) {
      this.chosen.set(role, best);
      void this.run();
    } else {
      this.isPaused = true;
      this.hear("position");
    }
  }

  /** Keeps the game in the browser, with its variations and thoughts. */
  keep(): void {
    if (this.root.children.length > 0) keepGame({ id: this.table, game: this.position.game, tree: save(this.root) });
  }

  private halt(): number {
    this.abort.abort();
    this.abort = new AbortController();
    this.thinking = null;
    this.trouble = "";
    this.turn += 1;
    return this.turn;
  }

  private learn(): void {
    this.position.deciders.forEach((role) => this.notation.learn(this.position.view, this.position.legal[role]!));
    this.notation.learn(this.position.view, []);
  }

  private arrive(): void {
    this.here.scores = this.position.scores;
    this.chosen.clear();
    this.learn();
    this.hear("position");
  }

  private async show(step: number, turn: number): Promise<void> {
    const position = await askPosition(this.position.game, this.moves.slice(0, step));
    if (turn !== this.turn) return;
    this.position = position;
    this.arrive();
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
    this.tip = this.tip.child(position.moves[position.moves.length - 1] ?? text);
    this.tip.promote();
    this.position = position;
    this.arrive();
    this.keep();
  }

  private async ask(role: number, seat: Seat, table: string | null, turn: number): Promise<string | null> {
    const node = this.here;
    const { player, budget } = playerOf(seat, this.budget);
    const history: Opinion["history"] = [];
    const note = (thought: Thought, move: string | null = null, cut: string | null = null) => {
      if (turn !== this.turn) return;
      history.push({
        simulations: thought.simulations,
        weights: new Map(thought.policy.map((weight) => [weight.move, weight.value])),
      });
      node.opinion = { role, player, move, thought, cut, history };
      this.hear("thought");
    };
    this.thinking = { role, ahead: 0 };
    this.hear("thought");
    const question = {
      game: this.position.game,
      moves: this.position.moves,
      role,
      player,
      budget,
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
