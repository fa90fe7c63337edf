// The page: which part of it is shown, and in which colours.

import "./style/colours.css";
import "./style/page.css";
import "./style/board.css";
import "./style/forms.css";
import "./style/thinking.css";
import "./style/results.css";
import "./style/narrow.css";
import { read } from "./address";
import { get, type Choices } from "./api";
import { notice, reason } from "./dom";
import { PlayPage } from "./play";
import { ResultsPage } from "./results";

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
  const play = new PlayPage(await get<Choices>("api/choices"));
  const results = new ResultsPage();
  const show = async () => {
    const place = read(location.hash);
    for (const link of document.querySelectorAll("nav a"))
      link.toggleAttribute("aria-current", link.getAttribute("href") === `#/${place.page.split("/")[0]}`);
    notice("");
    const path = place.page.split("/").map(decodeURIComponent);
    const isPlay = path[0] !== "results" && path[0] !== "papers";
    main.replaceChildren(isPlay ? play.element : results.element);
    scrollTo(0, 0);
    if (isPlay) {
      results.leave();
      await play.visit(place);
    } else {
      play.leave();
      await results.visit(path);
    }
  };
  addEventListener("hashchange", () => void show().catch((error: unknown) => notice(reason(error))));
  await show();
}

// The address belongs to the game, so that a link within the page would lead away from it.
document.querySelector(".skip")!.addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});

theme();
start().catch((error: unknown) => notice(reason(error)));
