// A Firefox, driven by the protocol that browsers share (WebDriver BiDi).

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import WebSocket from "ws";

/** Starts the program without windows and waits for its address. */
async function start(program) {
  const profile = mkdtempSync(path.join(tmpdir(), "ludens-firefox-"));
  const args = ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"];
  const child = spawn(program, args, { stdio: ["ignore", "ignore", "pipe"], env: { ...process.env, HOME: profile } });
  const ended = new Promise((resolve) => child.on("exit", resolve));
  const kill = async () => {
    child.kill("SIGKILL");
    await ended;
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  for await (const line of createInterface({ input: child.stderr })) {
    const [, address] = /WebDriver BiDi listening on (ws:\S+)/.exec(line) ?? [];
    // Whatever it says from here on is read and dropped, so that it is never stopped by a full pipe.
    if (address) return (child.stderr.resume(), { address, kill });
  }
  throw new Error(`${program} does not listen`);
}

/** A page of Firefox: what it can be asked, and the errors that it has written. */
export async function openFirefox(program) {
  const { address, kill } = await start(program);
  const socket = new WebSocket(`${address}/session`);
  await new Promise((resolve, reject) => socket.on("open", resolve).on("error", reject));
  const waiting = new Map();
  const errors = [];
  socket.on("message", (data) => {
    const { id, type, result, message, method, params } = JSON.parse(data);
    if (method === "log.entryAdded" && params.level === "error") errors.push(params.text);
    if (type === "success") waiting.get(id)?.resolve(result);
    if (type === "error") waiting.get(id)?.reject(new Error(message));
  });
  let asked = 0;
  const ask = (method, params) =>
    new Promise((resolve, reject) => {
      asked += 1;
      waiting.set(asked, { resolve, reject });
      socket.send(JSON.stringify({ id: asked, method, params }));
    });
  await ask("session.new", { capabilities: {} });
  await ask("session.subscribe", { events: ["log.entryAdded"] });
  const { contexts } = await ask("browsingContext.getTree", {});
  const { context } = contexts[0];
  /** What an expression is in the page. Only texts, numbers and truths come back. */
  const evaluate = async (expression) => {
    const answer = await ask("script.evaluate", { expression, target: { context }, awaitPromise: true });
    if (answer.type === "exception") throw new Error(answer.exceptionDetails.text);
    return answer.result.value;
  };
  const visit = (url) => ask("browsingContext.navigate", { context, url, wait: "complete" });
  /** Presses the mouse at a place of the window. */
  const click = (x, y) => {
    const move = { type: "pointerMove", x: Math.round(x), y: Math.round(y) };
    const press = [
      { type: "pointerDown", button: 0 },
      { type: "pointerUp", button: 0 },
    ];
    const actions = [{ type: "pointer", id: "mouse", actions: [move, ...press] }];
    return ask("input.performActions", { context, actions });
  };
  const close = async () => {
    socket.terminate();
    await kill();
  };
  return { visit, evaluate, click, errors, close };
}
