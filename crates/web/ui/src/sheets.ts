// Rulesheets of the person, kept by the browser so that a link or a reload finds them again.

import { checkSheet, type Checked } from "./api";

const KEY = "ludens.sheets";

/** The oldest are forgotten beyond this number. */
const MAX_SHEETS = 12;

interface Sheet {
  game: string;
  file: string;
  text: string;
}

export function keptSheets(): Sheet[] {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "[]") as Sheet[];
  } catch {
    return [];
  }
}

/** Lets the server check a file, and keeps it if it can be played. */
export async function bring(file: string, text: string): Promise<Checked> {
  const checked = await checkSheet(file, text);
  if (checked.game !== null) keep({ game: checked.game, file, text });
  return checked;
}

export function keep(sheet: Sheet): void {
  const others = keptSheets().filter((other) => other.game !== sheet.game);
  try {
    localStorage.setItem(KEY, JSON.stringify([...others, sheet].slice(-MAX_SHEETS)));
  } catch {
    // A sheet too large for the browser is only forgotten at the next reload.
  }
}

/** Sends a kept sheet again: the server may have been restarted. */
export async function bringAgain(game: string): Promise<void> {
  const sheet = keptSheets().find((sheet) => sheet.game === game);
  if (sheet) await checkSheet(sheet.file, sheet.text);
}
