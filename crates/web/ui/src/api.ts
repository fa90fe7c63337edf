// What the server knows, and how to ask it.

import { arranged } from "./arrange";
import type { Canonical, Checked, News, Position, Question, Thought } from "./wire";

export type * from "./wire";

export interface Listener {
  waiting?(ahead: number): void;
  report?(thought: Thought): void;
}
/** How a search has ended. */
export type Decision = Extract<News, { event: "done" }>;

/** What to tell when nobody answers. */
const SILENCE = "the server does not answer: is ludens web still running?";

/** The time after which a server that says nothing is taken for dead, in milliseconds. */
const PATIENCE = 20_000;

/** Compiling a rulesheet may take longer than anything else. */
const LONG_PATIENCE = 120_000;

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

async function ask(path: string, options: RequestInit = {}, patience = LONG_PATIENCE): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, { ...options, signal: AbortSignal.timeout(patience) });
  } catch {
    throw new Refusal(SILENCE);
  }
  if (!response.ok) throw await refusal(response);
  return response;
}

export function post(path: string, body: unknown): Promise<Response> {
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
  const answer = (await (await post("api/position", { game, moves })).json()) as Position;
  return { ...answer, view: arranged(answer.view) };
}

/** What the checker says of a rulesheet, which the server keeps if it is to be played. */
export async function checkSheet(name: string, text: string, play = true): Promise<Checked> {
  return (await post("api/sheet", { name, text, play })).json() as Promise<Checked>;
}

/** A player's text with everything left out that is the default. */
export async function canonical(spec: string): Promise<string> {
  return (await get<Canonical>(`api/player?spec=${encodeURIComponent(spec)}`)).spec;
}

/** Lets a player think. Aborting the signal ends its search. */
export function think(question: Question, listener: Listener, signal: AbortSignal): Promise<Decision> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const address = new URL("api/think", location.href);
    address.protocol = "ws:";
    const socket = new WebSocket(address);
    let watchdog = 0;
    const end = (settle: () => void) => {
      clearTimeout(watchdog);
      socket.close();
      settle();
    };
    // The server gives a sign of life every few seconds, whatever the search does.
    const wait = () => {
      clearTimeout(watchdog);
      watchdog = window.setTimeout(() => end(() => reject(new Refusal(SILENCE))), PATIENCE);
    };
    wait();
    signal.addEventListener("abort", () => end(() => reject(signal.reason as Error)));
    socket.onopen = () => socket.send(JSON.stringify(question));
    // After an answer this changes nothing.
    socket.onclose = () => end(() => reject(new Refusal(SILENCE)));
    socket.onmessage = (message: MessageEvent<string>) => {
      const news = JSON.parse(message.data) as News;
      wait();
      if (news.event === "waiting") listener.waiting?.(news.ahead);
      else if (news.event === "report") listener.report?.(news);
      else if (news.event === "done") end(() => resolve(news));
      else if (news.event === "failed") end(() => reject(new Refusal(news.error)));
    };
  });
}
