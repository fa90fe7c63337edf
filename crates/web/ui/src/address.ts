// The game in the address: a link to a position, and what a reload finds.

export interface Place {
  page: string;
  game: string | null;
  moves: string[];
  /** The step that is shown; the last one if there is none. */
  step: number | null;
  /** Where the game comes from, if somebody should know. */
  about: string;
}

export function read(hash: string): Place {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?");
  const params = new URLSearchParams(query);
  const moves = params.get("moves");
  const step = params.get("step");
  return {
    page: path || "play",
    game: params.get("game"),
    moves: moves ? moves.split(";") : [],
    step: step === null ? null : Number(step),
    about: params.get("about") ?? "",
  };
}

export function written({ game, moves, step, about }: { game: string; moves: string[]; step: number; about: string }) {
  const params = new URLSearchParams({ game });
  if (moves.length > 0) params.set("moves", moves.join(";"));
  if (step < moves.length) params.set("step", String(step));
  if (about) params.set("about", about);
  return `#/play?${params}`;
}
