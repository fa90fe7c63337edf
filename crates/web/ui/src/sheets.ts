// Rulesheets of the person, kept by the browser so that a link or a reload finds them again.

import { checkSheet, type Checked } from "./api";

const KEY = "ludens.sheets";

/** The oldest are forgotten beyond this number. */
const MAX_SHEETS = 12;

/** Links with longer sheets would break in too many programs. */
const MAX_PACKED = 6000;

export interface Sheet {
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

/** The sheet of a game that the browser keeps. */
export const keptSheet = (game: string): Sheet | undefined => keptSheets().find((sheet) => sheet.game === game);

async function through(bytes: BufferSource, stream: GenericTransformStream): Promise<Uint8Array> {
  const body = new Blob([bytes]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(body).arrayBuffer());
}

/** A sheet as part of a link; `null` if it is too large for one. */
export async function packed({ file, text }: Pick<Sheet, "file" | "text">): Promise<string | null> {
  const bytes = await through(new TextEncoder().encode(`${file}\n${text}`), new CompressionStream("deflate-raw"));
  const code = btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
  return code.length <= MAX_PACKED ? code : null;
}

/** The sheet in a link. */
export async function unpacked(code: string): Promise<{ file: string; text: string }> {
  try {
    const bytes = Uint8Array.from(atob(code.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
    const whole = new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw")));
    const end = whole.indexOf("\n");
    return { file: whole.slice(0, end), text: whole.slice(end + 1) };
  } catch {
    throw new Error("the rulesheet in this link is damaged");
  }
}
