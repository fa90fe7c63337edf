// A game as a tree: every position has the moves that were tried in it, the one that the game went on with first.

import type { Thought } from "./api";

/** What a player thought about a position. */
export interface Opinion {
  role: number;
  player: string;
  move: string | null;
  thought: Thought;
  /** Why the search has ended before its budget did. */
  cut: string | null;
  /** The playout policy's weights over the search: after so many simulations, by move. */
  history: { simulations: number; weights: Map<string, number> }[];
}

export class Node {
  readonly children: Node[] = [];
  opinion: Opinion | null = null;
  /** The scores, where the game is over and somebody has looked. */
  scores: number[] | null = null;

  constructor(
    /** The step that leads here; empty at the start. */
    readonly move: string,
    readonly parent: Node | null,
  ) {}

  /** The position after a step from here, new if nobody has tried that step. */
  child(move: string): Node {
    const known = this.children.find((child) => child.move === move);
    if (known) return known;
    const child = new Node(move, this);
    this.children.push(child);
    return child;
  }

  /** The positions from the first step to this one. */
  get line(): Node[] {
    const line: Node[] = [];
    for (let node: Node = this; node.parent; node = node.parent) line.push(node);
    return line.reverse();
  }

  /** Where the game went on from here to its end. */
  get end(): Node {
    let node: Node = this;
    while (node.children[0]) node = node.children[0];
    return node;
  }

  /** Lets the game go on here, as far as its own parent is concerned. */
  promote(): void {
    const siblings = this.parent?.children;
    if (!siblings) return;
    siblings.splice(siblings.indexOf(this), 1);
    siblings.unshift(this);
  }
}

/** A tree as plain data: parents come before their children. */
export interface SavedNode {
  move: string;
  parent: number;
  opinion: Omit<Opinion, "history"> | null;
}

/** Moves beyond this number are left out of what is saved of a thought. */
const MAX_SAVED = 12;

function savedOpinion({ role, player, move, thought, cut }: Opinion): SavedNode["opinion"] {
  const arms = thought.arms.slice(0, MAX_SAVED);
  return { role, player, move, cut, thought: { ...thought, arms, policy: thought.policy.slice(0, MAX_SAVED) } };
}

export function save(root: Node): SavedNode[] {
  const saved: SavedNode[] = [];
  const visit = (node: Node, parent: number) => {
    const number = saved.push({ move: node.move, parent, opinion: node.opinion && savedOpinion(node.opinion) }) - 1;
    node.children.forEach((child) => visit(child, number));
  };
  visit(root, -1);
  return saved;
}

/** Adds what was saved to a tree; what is there stays as it is. */
export function restore(root: Node, saved: SavedNode[]): void {
  const nodes: Node[] = [];
  saved.forEach(({ move, parent, opinion }, number) => {
    const node = number === 0 ? root : nodes[parent]?.child(move);
    if (!node) return;
    nodes[number] = node;
    node.opinion ??= opinion && { ...opinion, history: [] };
  });
}
