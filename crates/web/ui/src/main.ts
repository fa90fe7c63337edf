// The page: which part of it is shown, and in which colours.

import "./style/colours.css";
import "./style/page.css";
import "./style/board.css";
import "./style/forms.css";
import "./style/thinking.css";
import "./style/results.css";
import "./style/write.css";
import "./style/narrow.css";
import { read } from "./address";
import { get, type Choices } from "./api";
import { notice, reason } from "./dom";
import { setBest } from "./levels";
import { PlayPage } from "./play";
import { ResultsPage } from "./results";
import { WritePage } from "./write";

const THEME = "ludens.theme";
const main = document.getElementById("main")!;

function theme(): void {
  const kept = localStorage.getItem(THEME);
  if (kept) document.documentElement.dataset["theme"] = kept;
  document.getElementById("theme")!.addEventListener("click", () => {
    const isDark =
      (document.documentElement.dataset["theme"] ??
        (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
    const next = isDark ? "light" : "dark";
    document.documentElement.dataset["theme"] = next;
    localStorage.setItem(THEME, next);
  });
}

async function start(): Promise<void> {
  const choices = await get<Choices>("api/choices");
  setBest(choices.player);
  const [play, results, write] = [new PlayPage(choices), new ResultsPage(choices), new WritePage(choices)];
  const show = async (hash: string) => {
    const place = read(hash);
    const path = place.page.split("/").map(decodeURIComponent);
    const page = ["results", "papers", "write"].includes(path[0]!) ? path[0]! : "play";
    for (const link of document.querySelectorAll("nav a"))
      link.toggleAttribute("aria-current", link.getAttribute("href") === `#/${page}`);
    notice("");
    const shown = page === "play" ? play : page === "write" ? write : results;
    main.replaceChildren(shown.element);
    scrollTo(0, 0);
    if (shown !== play) play.leave();
    if (shown !== results) results.leave();
    await (shown === results ? results.visit(path) : shown === write ? write.visit(place) : play.visit(place));
  };
  // Not `location`: a move of a game under way may have put its own address there meanwhile.
  addEventListener("hashchange", (event) => {
    void show(new URL(event.newURL).hash).catch((error: unknown) => notice(reason(error)));
  });
  await show(location.hash);
}

// The address belongs to the game, so that a link within the page would lead away from it.
document.querySelector(".skip")!.addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});

theme();
start().catch((error: unknown) => notice(reason(error)));
