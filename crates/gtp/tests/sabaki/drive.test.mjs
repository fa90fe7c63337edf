// Sabaki's own client drives `ludens gtp`: commands, errors, a whole game, and an analysis that the next command ends.

import assert from "node:assert/strict";
import { test } from "node:test";
import gtp from "@sabaki/gtp";

const LUDENS = process.env.LUDENS;

async function engine(game, args = []) {
  const controller = new gtp.Controller(LUDENS, ["gtp", game, ...args]);
  controller.start();
  const ask = async (name, ...words) => controller.sendCommand({ name, args: words });
  return { ask, controller };
}

test("commands and errors", async () => {
  const { ask, controller } = await engine("go:9,eyes=on");
  assert.equal((await ask("name")).content, "Ludens");
  const commands = (await ask("list_commands")).content.split("\n");
  for (const name of ["play", "genmove", "undo", "lz-analyze", "kata-analyze", "kata-genmove_analyze"]) {
    assert.ok(commands.includes(name), name);
  }
  const bad = await ask("play", "b", "I5");
  assert.ok(bad.error && bad.content.startsWith("invalid vertex"), bad.content);
  assert.ok((await ask("nonsense")).error);
  assert.ok(!(await ask("play", "B", "E5")).error, "the session goes on");
  await controller.stop();
});

test("a whole game of two engines", async () => {
  const args = ["--sims", "50", "--player", "uct+mast@solver=on"];
  const seats = [await engine("havannah:4", args), await engine("havannah:4", [...args, "--seed", "2"])];
  let over = false;
  let moves = 0;
  while (!over) {
    const colour = moves % 2 === 0 ? "W" : "B";
    const reply = await seats[moves % 2].ask("genmove", colour);
    over = reply.error;
    if (over) {
      assert.equal(reply.content, "the game is over");
    } else {
      assert.ok(!(await seats[(moves + 1) % 2].ask("play", colour, reply.content)).error);
      moves += 1;
    }
  }
  const scores = await Promise.all(seats.map(({ ask }) => ask("final_score")));
  assert.match(scores[0].content, /^[BW]\+$|^0$/);
  assert.equal(scores[0].content, scores[1].content);
  assert.ok(moves > 5);
  await Promise.all(seats.map(({ controller }) => controller.stop()));
});

test("an analysis ends with the next command", async () => {
  const { controller } = await engine("go:9,eyes=on");
  const lines = [];
  const analysis = controller.sendCommand({ name: "kata-analyze", args: ["B", "5"] }, ({ line }) => lines.push(line));
  await new Promise((resolve) => setTimeout(resolve, 2000));
  const next = await controller.sendCommand({ name: "version" });
  assert.ok(!next.error);
  assert.ok(!(await analysis).error);
  const infos = lines.filter((line) => line.startsWith("info move "));
  assert.ok(infos.length >= 3, `${infos.length} reports in two seconds`);
  const visits = infos.map((line) => Number(line.match(/visits (\d+)/)[1]));
  assert.ok(visits.at(-1) > visits[0], "the search goes on between reports");
  const [, rate] = infos.at(-1).match(/winrate (\d\.\d+) /);
  assert.ok(Number(rate) >= 0 && Number(rate) <= 1);
  await controller.stop();
});
