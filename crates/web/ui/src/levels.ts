// Players by strength, for whoever wants to play and not to build a player.

export interface Level {
  name: string;
  title: string;
  player: string;
  budget: string;
}

const PREFIX = "level:";

/** From the weakest to the strongest: the same searches, with more time or better playouts. */
let levels: Level[] = [];

/** The levels, with the player that the program takes for its best. */
export function setBest(player: string): void {
  levels = [
    { name: "beginner", title: "Beginner", player: "uct", budget: "sims=8" },
    { name: "easy", title: "Easy", player: "uct", budget: "sims=60" },
    { name: "medium", title: "Medium", player: "uct+mast", budget: "sims=500" },
    { name: "strong", title: "Strong", player, budget: "ms=1000" },
    { name: "strongest", title: "Strongest", player, budget: "ms=5000" },
  ];
}

export const allLevels = (): Level[] => levels;
export const seatOf = (level: Level): string => PREFIX + level.name;
export const levelOf = (seat: string): Level | undefined =>
  seat.startsWith(PREFIX) ? levels.find((level) => level.name === seat.slice(PREFIX.length)) : undefined;

/** The player at a seat and how long it thinks: a level says both. */
export function playerOf(seat: string, budget: string): { player: string; budget: string } {
  return levelOf(seat) ?? { player: seat, budget };
}

/** The name of whoever sits at a seat. */
export function titleOf(seat: string): string {
  return levelOf(seat)?.title ?? seat;
}
