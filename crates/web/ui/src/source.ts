// The rulesheet of a game: its text, what its header says, and how it wants to be drawn.

import { get, type Source } from "./api";

const known = new Map<string, Promise<string | null>>();

/** The text of a game's rulesheet; `null` for games that are part of the program. */
export function sourceOf(game: string): Promise<string | null> {
  const name = game.replace(/^misere-/, "");
  if (!/^(gdl|sheet):/.test(name)) return Promise.resolve(null);
  const text =
    known.get(name) ??
    get<Source>(`api/source?game=${encodeURIComponent(name)}`).then(
      (source) => source.text,
      () => {
        // Without it the game is drawn by its shape alone, and asked about at the next visit.
        known.delete(name);
        return null;
      },
    );
  known.set(name, text);
  return text;
}

/** The comment at the beginning of a sheet, by paragraph. */
export function header(text: string): string[] {
  const lines = text.split("\n");
  const end = lines.findIndex((line) => !line.startsWith(";"));
  const comment = lines.slice(0, end < 0 ? undefined : end).map((line) => line.replace(/^;+ ?/, ""));
  return comment
    .join("\n")
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replace(/\s*\n\s*(?![A-Z][a-z]+:)/g, " ").trim())
    .filter(Boolean);
}

export interface Hints {
  /** Stones stand where lines cross. */
  lines: boolean;
  /** Pegs stand in holes. */
  holes: boolean;
  /** What pieces look like, by their names. */
  pieces: Map<string, string>;
}

export const NO_HINTS: Hints = { lines: false, holes: false, pieces: new Map() };

/** What comments such as `; Draw: lines, w as white queen` say. */
export function hints(text: string | null): Hints {
  const found: Hints = { lines: false, holes: false, pieces: new Map() };
  for (const [, list = ""] of (text ?? "").matchAll(/^;+[ \t]*Draw:(.*)$/gim))
    for (const wish of list.split(",").map((item) => item.trim().toLowerCase())) {
      const [, piece, look] = /^(.+?) as (.+)$/.exec(wish) ?? [];
      if (piece && look) found.pieces.set(piece, look);
      else if (wish === "lines") found.lines = true;
      else if (wish === "holes") found.holes = true;
    }
  return found;
}

/** The hints of a game; those of the program draw Go as it is known. */
export async function hintsOf(game: string): Promise<Hints> {
  if (/^(misere-)?(go|nogo|atarigo)(:|$)/.test(game)) return { ...NO_HINTS, lines: true };
  return hints(await sourceOf(game));
}
