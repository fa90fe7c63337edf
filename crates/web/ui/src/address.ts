// The game in the address: a link to a position, and what a reload finds.

export interface Place {
  page: string;
  game: string | null;
  moves: string[];
  /** The step that is shown; the last one if there is none. */
  step: number | null;
  /** Where the game comes from, if somebody should know. */
  about: string;
  /** A rulesheet that the link brings along, packed. */
  sheet: string | null;
}

export function read(hash: string): Place {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?");
  const params = new URLSearchParams(query);
  const moves = params.get("moves");
  const step = Number(params.get("step") ?? NaN);
  return {
    page: path || "play",
    game: params.get("game"),
    moves: moves ? moves.split(";") : [],
    step: Number.isInteger(step) && step >= 0 ? step : null,
    about: params.get("about") ?? "",
    sheet: params.get("sheet"),
  };
}

interface Written {
  game: string;
  moves: string[];
  step: number;
  about: string;
  sheet?: string | null;
}

export function written({ game, moves, step, about, sheet }: Written): string {
  const params = new URLSearchParams({ game });
  if (moves.length > 0) params.set("moves", moves.join(";"));
  if (step < moves.length) params.set("step", String(step));
  if (about) params.set("about", about);
  if (sheet) params.set("sheet", sheet);
  return `#/play?${params}`;
}
