// Who sits where, how long engines think, the clock and the sound.

import type { Choices } from "./api";
import type { Clock } from "./clock";
import { h } from "./dom";
import { allLevels, levelOf, seatOf } from "./levels";
import { PERSON, RANDOM, type Match, type Seat } from "./match";
import { PlayerForm } from "./player_form";
import { budgetTrouble, keepSettings, keptSettings, type Settings } from "./settings";
import { soundChoice } from "./sound";

export class Seats {
  readonly element = h("div", { class: "seats" });
  private readonly budget = h("div", { class: "budget" });
  /** Who sits opposite somebody who is here for the first time. */
  private readonly usual: Seat;

  constructor(
    private readonly match: Match,
    private readonly clock: Clock,
    private readonly choices: Choices,
    private readonly act: (action: () => Promise<void>) => void,
  ) {
    const medium = allLevels().find((level) => level.name === "medium");
    this.usual = medium ? seatOf(medium) : choices.player;
  }

  get kept(): Settings {
    return keptSettings(this.usual);
  }

  show(): void {
    const { match } = this;
    keepSettings(match, this.usual);
    const forms = match.position.roles.map((role, number) => {
      const options = { role, number, seat: match.seats[number]!, choices: this.choices, withPeople: true };
      return new PlayerForm(options, (seat) => {
        this.act(() => match.sit(number, seat));
        keepSettings(match, this.usual);
        this.showBudget();
      }).element;
    });
    this.fillBudget();
    this.showBudget();
    const sound = h("div", { class: "params" }, soundChoice());
    this.element.replaceChildren(...forms, this.budget, this.clock.choice, sound);
  }

  private fillBudget(): void {
    const { match } = this;
    const [unit = "ms", amount = "1000"] = match.budget.split("=");
    const error = h("p", { class: "error", role: "alert", hidden: true });
    const number = h("input", { type: "number", id: "budget", min: 1, value: amount, onchange: () => change() });
    const units = h(
      "select",
      { "aria-label": "Unit of the budget", onchange: () => change() },
      h("option", { value: "ms", selected: unit === "ms" }, "milliseconds"),
      h("option", { value: "sims", selected: unit === "sims" }, "simulations"),
    );
    const change = () => {
      const trouble = budgetTrouble(units.value, number.value);
      error.textContent = trouble ?? "";
      error.hidden = trouble === null;
      number.setAttribute("aria-invalid", String(trouble !== null));
      if (trouble === null) this.act(() => match.seat(match.seats, `${units.value}=${Number(number.value)}`));
    };
    const label = h("label", { for: "budget" }, "Budget of engines per move");
    this.budget.replaceChildren(label, number, units, error);
  }

  /** A level says itself how long it thinks. */
  private showBudget(): void {
    this.budget.hidden = !this.match.seats.some((seat) => seat !== PERSON && seat !== RANDOM && !levelOf(seat));
  }
}
