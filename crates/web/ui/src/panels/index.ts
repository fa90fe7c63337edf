// The panels beside the board, from top to bottom. A new one is its file, imported and listed here.

import { chances } from "./chances";
import { moves } from "./moves";
import type { MakePanel } from "./panel";
import { rules } from "./rules";
import { thinking } from "./thinking";

export const PANELS: MakePanel[] = [moves, chances, thinking, rules];
