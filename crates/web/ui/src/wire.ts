// What page and server tell each other. Generated from the types of the server: edit those, then run
// WRITE_TYPES=1 cargo test -p ludens-web --lib the_page_has

/**
 * A position, told.
 */
export type Position = {
/**
 * The name with all parameters.
 */
game: string, roles: Array<string>,
/**
 * The steps played, as they are named canonically.
 */
moves: Array<string>,
/**
 * The roles whose moves make up the text of a step.
 */
movers: Array<number>,
/**
 * Those of them that have to decide.
 */
deciders: Array<number>,
/**
 * The legal moves of each role; empty for those who do not move.
 */
legal: Array<Array<Legal>>,
/**
 * If the game is over.
 */
scores: Array<number> | null, view: View, };

/**
 * A legal move, and the cells that a hand would touch for it, in order.
 */
export type Legal = { name: string, cells: Array<number>, };

export type View = { layout: Layout, cells: Array<Cell>, pieces: Array<Piece>, labels: Array<Label>, notes: Array<string>, };

/**
 * How the cells of a board lie.
 */
export type Layout = "square" | "hex" | "free";

export type Cell = { name: string, x: number, y: number, piece: number | null, marked: boolean, };

export type Piece = { name: string, glyph: string, role: number | null, };

export type Label = { text: string, x: number, y: number, };

/**
 * What the page wants to know.
 */
export type Question = {
/**
 * The player that thinks.
 */
role: number,
/**
 * A spec, a preset or `random`.
 */
player: string, budget: string, seed: number,
/**
 * The page's name for its game, under which the player is kept for the next move; without one it is not.
 */
table: string | null,
/**
 * As the catalogue opens it, or the name of a rulesheet that was sent.
 */
game: string,
/**
 * A text per step, as records have it: the move of the role to move, or the moves of all with a slash between.
 */
moves: Array<string>, };

/**
 * What happens, one after the other; the last one says what was chosen or why nothing was.
 */
export type News = { "event": "waiting", ahead: number, } | { "event": "alive" } | { "event": "report" } & Thought | { "event": "done", move: string, thought: Thought,
/**
 * Why the search has ended before its budget did.
 */
cut: string | null, } | { "event": "failed", error: string, };

/**
 * What a search thinks. Scores are those of the role that thinks, from 0 to 1.
 */
export type Thought = {
/**
 * The role's score, if it is proven.
 */
proven: number | null,
/**
 * The most visited first.
 */
arms: Array<Arm>,
/**
 * The moves that the search expects.
 */
line: Array<string>,
/**
 * Which playout policies `auto` used for the role; empty for other players.
 */
playouts: Array<Playouts>,
/**
 * What the playout policy has learned about every legal move, the best first.
 */
policy: Array<Weight>,
/**
 * Nodes in the tree.
 */
nodes: number,
/**
 * The size of the tree's contents.
 */
tree_bytes: number,
/**
 * Whether the tree has used up its memory.
 */
is_full: boolean,
/**
 * What the player holds: trees and tables.
 */
bytes: number,
/**
 * Simulations so far.
 */
simulations: number,
/**
 * Steps of all simulations, in the tree and in playouts.
 */
steps: number,
/**
 * Wall-clock time.
 */
seconds: number,
/**
 * Simulations per second.
 */
simulations_per_s: number, };

/**
 * A move at the root.
 */
export type Arm = {
/**
 * Its name.
 */
move: string,
/**
 * Simulations that started with it.
 */
visits: number,
/**
 * Their mean score, if there were any.
 */
score: number | null,
/**
 * The mean score of all simulations in which it was played at any time.
 */
amaf: number | null, };

/**
 * A move as the playout policy sees it.
 */
export type Weight = {
/**
 * Its name.
 */
move: string,
/**
 * The policy's own measure: a mean score or a weight.
 */
value: number, };

/**
 * A policy among which `auto` chooses.
 */
export type Playouts = {
/**
 * The policy, as a spec names it.
 */
policy: string,
/**
 * The share of the playouts that it chose for, from 0 to 1.
 */
share: number,
/**
 * Their mean score for the role, if there were any.
 */
score: number | null, };

/**
 * All choices.
 */
export type Choices = { games: Array<GameChoice>, selects: Array<Part>, policies: Array<PolicyChoice>, settings: Array<Param>, presets: Array<PresetChoice>, papers: Array<PaperChoice>,
/**
 * The player that is used if none is chosen.
 */
player: string, };

export type GameChoice = { name: string, about: string, roles: Array<string>, params: Array<Param>, };

/**
 * A selection rule or a policy.
 */
export type Part = { name: string, about: string, params: Array<Param>, };

export type PolicyChoice = {
/**
 * Whether it always chooses, so that no policy can follow it.
 */
total: boolean, name: string, about: string, params: Array<Param>, };

/**
 * A parameter of a game, a part or a search.
 */
export type Param = { name: string, about: string, default: string, domain: Domain, };

/**
 * What values a parameter takes. JSON has no infinity, so bounds that are infinite are left out.
 */
export type Domain = { "kind": "number", min: number | null, max: number | null, } | { "kind": "whole", min: number, max: number, words: Array<string>, } | { "kind": "bytes", min: number, } | { "kind": "word", words: Array<string>, } | { "kind": "board", min: [number, number], max: [number, number], } | { "kind": "square", min: number, max: number, } | { "kind": "halves", min: number, max: number, };

export type PresetChoice = { name: string, about: string, };

export type PaperChoice = { name: string, citation: string, };

/**
 * A spec or preset, written out with everything left out that is the default.
 */
export type Canonical = { spec: string, };

/**
 * What the checker says of a rulesheet.
 */
export type Checked = {
/**
 * The name that opens it; none if it cannot be played or is only checked.
 */
game: string | null, remarks: Array<Remark>, };

/**
 * One remark of the checker.
 */
export type Remark = { severity: Severity, line: number, column: number, title: string,
/**
 * The remark with the lines it is about, as a terminal shows it.
 */
text: string, };

/**
 * How bad a remark is.
 */
export type Severity = "error" | "warning";

/**
 * The rulesheet of a game.
 */
export type Source = {
/**
 * None for games that are part of the program.
 */
text: string | null, };

/**
 * An experiment as the page asks for it.
 */
export type NewRun = { name: string, games: Array<string>, budgets: Array<string>, players: Array<string>, games_per_cell: number,
/**
 * Whether a cell ends as soon as a sequential test tells the players apart.
 */
sprt: boolean, };

/**
 * A run on the page.
 */
export type Run = { name: string, state: RunState, games: number, wanted: number,
/**
 * Why it has failed.
 */
error: string | null, };

/**
 * What becomes of a run.
 */
export type RunState = "waiting" | "running" | "paused" | "done" | "failed";

/**
 * A table.
 */
export type Grid = { columns: Array<Column>, rows: Array<Array<string>>, };

export type Column = { title: string, number: boolean, };

/**
 * A part of a document; a plot is an SVG.
 */
export type Block = { "heading": string } | { "text": string } | { "table": Grid } | { "plot": string };

/**
 * A report.
 */
export type Report = { title: string, blocks: Array<Block>, };

/**
 * An experiment in full.
 */
export type Experiment = { cells: Array<string>, title: string, blocks: Array<Block>, games: number, wanted: number,
/**
 * Whether somebody is playing it right now.
 */
live: boolean, };

/**
 * How far an experiment has come.
 */
export type Progress = { games: number, wanted: number,
/**
 * Whether somebody is playing it right now.
 */
live: boolean, };

/**
 * All experiments with records, and the folder with these.
 */
export type Experiments = { folder: string,
/**
 * How many there are; the list may be a part of them.
 */
total: number, experiments: Array<Listed>, };

/**
 * An experiment in the list.
 */
export type Listed = { name: string, about: string, cells: number,
/**
 * Seconds since something was recorded.
 */
age: number | null, games: number, wanted: number,
/**
 * Whether somebody is playing it right now.
 */
live: boolean, } | { name: string, error: string, };

/**
 * A paper with a row per table.
 */
export type PaperOverview = { name: string, citation: string, overview: Grid, };

/**
 * A cell with its games.
 */
export type CellGames = { cell: PlayedCell,
/**
 * How many there are; the list may be a part of them.
 */
total: number, games: Array<PlayedGame>,
/**
 * How the first player stood after some of the games, from the first to all of them.
 */
curve: Array<Stand>, };

/**
 * The share of the points that a player has after so many games, with its 95 % interval.
 */
export type Stand = { games: number, rate: number, low: number, high: number, };

/**
 * What is played in a cell.
 */
export type PlayedCell = { game: string, budget: string, players: Array<CellPlayer>, };

export type CellPlayer = { name: string, spec: string, };

/**
 * A recorded game.
 */
export type PlayedGame = { index: number,
/**
 * Which of the cell's players sat at which role.
 */
seats: Array<number>, scores: Array<number>, end: Ending, steps: number, };

/**
 * How a game ended.
 */
export type Ending = "terminal" | "cut";

/**
 * A recorded game, the name that opens it on the board, and its rulesheet if the experiment names a file.
 */
export type Recorded = { cell: PlayedCell, game: RecordedGame, opens: string, sheet: SheetFile | null, };

/**
 * A recorded game with its moves.
 */
export type RecordedGame = { moves: Array<string>, index: number,
/**
 * Which of the cell's players sat at which role.
 */
seats: Array<number>, scores: Array<number>, end: Ending, steps: number, };

/**
 * The rulesheet of a game. The page keeps it, so that a link to the game outlives this server.
 */
export type SheetFile = { file: string, text: string, };
