// Watches `ludens engine` think about one position, and stops it when it has made up its mind.
//
//     node examples/engine/analyze.mjs [path of ludens]

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const engine = spawn(process.argv[2] ?? "ludens", ["engine"], { stdio: ["pipe", "pipe", "inherit"] });
const ask = (question) => engine.stdin.write(`${JSON.stringify(question)}\n`);

ask({ id: "think", game: "breakthrough:6", moves: ["c2-c3"], budget: "ms=20000", report_every: 0.2 });

let favourite = { move: "", reports: 0 };
for await (const line of createInterface({ input: engine.stdout })) {
  const answer = JSON.parse(line);
  if (answer.event === "failed") throw new Error(answer.error);
  if (answer.event === "report") {
    const best = answer.thought.arms[0];
    console.log(`${answer.thought.simulations} simulations: ${best.move} ${best.score.toFixed(2)}`);
    favourite = { move: best.move, reports: best.move === favourite.move ? favourite.reports + 1 : 1 };
    // Three reports with the same favourite will do.
    if (favourite.reports === 3) ask({ id: "enough", action: "terminate", terminate_id: "think" });
  }
  if (answer.event === "done") {
    console.log(`${answer.role} plays ${answer.move}`);
    engine.stdin.end();
  }
}
