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
  /** Why the search has ended before its budget did. */
  cut: string | null;
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
  } catch {
    throw new Refusal(SILENCE);
  }
  if (!response.ok) throw await refusal(response);
  return response;
}

function post(path: string, body: unknown): Promise<Response> {
  return ask(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
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

/** What a page hears while a player thinks. */
type News =
  | { event: "waiting"; ahead: number }
  | ({ event: "report" } & Thought)
  | ({ event: "done" } & Decision)
  | { event: "failed"; error: string };

/** Lets a player think. Aborting the signal ends its search. */
export function think(question: Question, listener: Listener, signal: AbortSignal): Promise<Decision> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const address = new URL("api/think", location.href);
    address.protocol = "ws:";
    const socket = new WebSocket(address);
    signal.addEventListener("abort", () => {
      socket.close();
      reject(signal.reason as Error);
    });
    socket.onopen = () => socket.send(JSON.stringify(question));
    // After an answer this changes nothing.
    socket.onclose = () => reject(new Refusal(SILENCE));
    socket.onmessage = (message: MessageEvent<string>) => {
      const news = JSON.parse(message.data) as News;
      if (news.event === "waiting") listener.waiting?.(news.ahead);
      else if (news.event === "report") listener.report?.(news);
      else {
        if (news.event === "done") resolve(news);
        else reject(new Refusal(news.error));
        socket.close();
      }
    };
  });
}
