// The game in the address: a link to a position, and what a reload finds.

export interface Place {
  page: string;
  game: string | null;
  moves: string[];
  step: number | null;
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
  };
}

export function written(game: string, moves: string[], step: number): string {
  const params = new URLSearchParams({ game });
  if (moves.length > 0) params.set("moves", moves.join(";"));
  if (step < moves.length) params.set("step", String(step));
  return `#/play?${params}`;
}
