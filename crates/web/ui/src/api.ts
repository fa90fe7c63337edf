// What the server knows, and how to ask it.

export interface Cell {
  name: string;
  x: number;
  y: number;
  piece: number | null;
  marked: boolean;
}
export interface Piece {
  name: string;
  glyph: string;
  role: number | null;
}
export interface Label {
  text: string;
  x: number;
  y: number;
}
export interface View {
  layout: "square" | "hex" | "free";
  cells: Cell[];
  pieces: Piece[];
  labels: Label[];
  notes: string[];
}

/** A legal move, and the cells that a hand would touch for it, in order. */
export interface Legal {
  name: string;
  cells: number[];
}

export interface Position {
  game: string;
  roles: string[];
  moves: string[];
  /** The roles whose moves make up the text of a step, and those of them that have a choice. */
  movers: number[];
  deciders: number[];
  legal: Legal[][];
  scores: number[] | null;
  view: View;
}

export interface Arm {
  move: string;
  visits: number;
  score: number | null;
  amaf: number | null;
}
export interface Weight {
  move: string;
  value: number;
}

/** What a search thinks. Scores are those of the role that thinks. */
export interface Thought {
  arms: Arm[];
  line: string[];
  proven: number | null;
  weights: Weight[];
  nodes: number;
  bytes: number;
  simulations: number;
  seconds: number;
  pace: number;
}

export interface Question {
  game: string;
  moves: string[];
  role: number;
  player: string;
  budget: string;
  seed: number;
  table: string | null;
}

export interface Listener {
  waiting?(ahead: number): void;
  report?(thought: Thought): void;
}
export interface Decision {
  move: string;
  thought: Thought;
}

export type Domain =
  | { kind: "number" | "whole" | "halves" | "side" | "bytes"; min: number | null; max: number | null }
  | { kind: "board"; min: [number, number]; max: [number, number] }
  | { kind: "word"; words: string[] };
export interface Param {
  name: string;
  about: string;
  default: string;
  domain: Domain;
}
export interface Part {
  name: string;
  about: string;
  params: Param[];
  total?: boolean;
}
export interface GameChoice {
  name: string;
  about: string;
  roles: string[];
  params: Param[];
}
export interface Choices {
  games: GameChoice[];
  selects: Part[];
  policies: Part[];
  settings: Param[];
  presets: { name: string; about: string }[];
  papers: { name: string; citation: string }[];
  player: string;
}

export interface Remark {
  severity: "error" | "warning";
  line: number;
  column: number;
  title: string;
  text: string;
}
export interface Checked {
  game: string | null;
  remarks: Remark[];
}

/** What to tell when nobody answers. */
const SILENCE = "the server does not answer: is ludens web still running?";

/** A problem that the server has put into words. */
export class Refusal extends Error {}

async function refusal(response: Response): Promise<Refusal> {
  const text = await response.text();
  try {
    return new Refusal((JSON.parse(text) as { error: string }).error);
  } catch {
    return new Refusal(text || `the server answers ${response.status}`);
  }
}

async function ask(path: string, options: RequestInit = {}): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, options);
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new Refusal(SILENCE);
  }
  if (!response.ok) throw await refusal(response);
  return response;
}

function post(path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  return ask(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    signal: signal ?? null,
  });
}

export async function get<T>(path: string): Promise<T> {
  return (await ask(path)).json() as Promise<T>;
}

export async function position(game: string, moves: string[]): Promise<Position> {
  return (await post("api/position", { game, moves })).json() as Promise<Position>;
}

export async function checkSheet(name: string, text: string): Promise<Checked> {
  return (await post("api/sheet", { name, text })).json() as Promise<Checked>;
}

/** A player's text with everything left out that is the default. */
export async function canonical(spec: string): Promise<string> {
  return (await get<{ spec: string }>(`api/player?spec=${encodeURIComponent(spec)}`)).spec;
}

/** Lets a player think. Aborting the signal ends its search. */
export async function think(question: Question, listener: Listener, signal: AbortSignal): Promise<Decision> {
  const response = await post("api/think", question, signal);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read().catch((error: unknown) => {
      throw signal.aborted ? error : new Refusal(SILENCE);
    });
    if (done) throw new Refusal("the search ended without a move");
    const events = (rest + value).split("\n\n");
    rest = events.pop() ?? "";
    for (const event of events) {
      const field = (name: string) =>
        event
          .split("\n")
          .find((line) => line.startsWith(`${name}: `))
          ?.slice(name.length + 2);
      const data = field("data");
      if (!data) continue;
      const news: unknown = JSON.parse(data);
      switch (field("event")) {
        case "waiting":
          listener.waiting?.((news as { ahead: number }).ahead);
          break;
        case "report":
          listener.report?.(news as Thought);
          break;
        case "done":
          return news as Decision;
        case "failed":
          throw new Refusal((news as { error: string }).error);
      }
    }
  }
}
