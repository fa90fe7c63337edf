// Who sits where and how long engines think, kept by the browser from game to game.

import { PERSON, type Seat } from "./match";

const KEY = "ludens.settings";

export interface Settings {
  seats: Seat[];
  budget: string;
}

/** The longest time per move that the server gives, in milliseconds. */
const MAX_TIME = 300_000;

/** Why a budget cannot be used; `null` if it can. */
export function budgetTrouble(unit: string, amount: string): string | null {
  const number = Number(amount);
  if (amount.trim() === "" || !Number.isInteger(number) || number < 1)
    return "The budget must be a whole number of at least 1.";
  if (unit === "ms" && number > MAX_TIME) return `An engine may think for ${MAX_TIME / 1000} s at most.`;
  return null;
}

export function keptSettings(player: Seat): Settings {
  const usual = { seats: [PERSON, player], budget: "ms=1000" };
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "") as Settings;
    const [unit = "", amount = ""] = kept.budget.split("=");
    if (!Array.isArray(kept.seats) || kept.seats.length === 0) return usual;
    return { seats: kept.seats, budget: budgetTrouble(unit, amount) ? usual.budget : kept.budget };
  } catch {
    // Nothing was kept, or nothing that makes sense.
    return usual;
  }
}

/** Keeps the seats of a game. Those that it does not have stay as they were. */
export function keepSettings({ seats, budget }: Settings, player: Seat): void {
  const others = keptSettings(player).seats.slice(seats.length);
  localStorage.setItem(KEY, JSON.stringify({ seats: [...seats, ...others], budget }));
}
