// Who sits at a role: a person, somebody who moves at random, an agent of a paper, or any player built from parts. The form is
// generated from the registry of the server.

import { canonical, type Choices, type Param, type Part } from "./api";
import { roleName } from "./colours";
import { h, reason } from "./dom";
import { allLevels, levelOf, playerOf, seatOf } from "./levels";
import { PERSON, RANDOM, type Seat } from "./match";
import { parse, print, type SpecPart, type SpecParts } from "./spec";

const CUSTOM = "custom";

/** An input for a parameter that calls back with the text of its value; empty for the default. */
export function paramInput(param: Param, value: string, change: (value: string) => void): HTMLElement {
  const { domain } = param;
  const onchange = (event: Event) => change((event.target as HTMLInputElement).value.trim());
  const input =
    domain.kind === "word"
      ? h(
          "select",
          { onchange },
          ...domain.words.map((word) =>
            h(
              "option",
              { value: word === param.default ? "" : word, selected: word === (value || param.default) },
              word,
            ),
          ),
        )
      : h("input", {
          value,
          placeholder: param.default,
          onchange,
          inputmode: domain.kind === "bytes" ? "text" : "decimal",
          size: 8,
        });
  return h("label", { class: "param", title: param.about }, h("span", {}, param.name), input);
}

export interface PlayerFormOptions {
  role: string;
  /** The number of the role, for its colour. */
  number?: number;
  seat: Seat;
  choices: Choices;
  /** Whether people and random movers may sit here. */
  withPeople: boolean;
}

export class PlayerForm {
  private seat: Seat;
  private readonly choices: Choices;
  readonly element: HTMLElement;
  private readonly parts = h("div", { class: "parts" });
  private readonly error = h("p", { class: "error", role: "alert", hidden: true });
  private readonly kind: HTMLSelectElement;
  private readonly text: HTMLInputElement;
  private readonly details: HTMLDetailsElement;
  private readonly summary = h("summary", {}, "Parts");

  constructor(
    { role, number, seat, choices, withPeople }: PlayerFormOptions,
    private readonly change: (seat: Seat) => void,
  ) {
    this.seat = seat;
    this.choices = choices;
    this.kind = h(
      "select",
      { "aria-label": `Who plays ${role}`, onchange: () => this.choose(this.kind.value) },
      ...this.options(withPeople),
    );
    this.text = h("input", {
      class: "spec",
      "aria-label": `Player of ${role} as text`,
      spellcheck: "false",
      autocomplete: "off",
      onchange: () => void this.set(this.text.value),
    });
    this.details = h("details", { ontoggle: () => this.toggled() }, this.summary, this.parts);
    this.element = h(
      "fieldset",
      { class: "seat" },
      h("legend", {}, number === undefined ? role : roleName(role, number)),
      this.kind,
      this.text,
      this.error,
      this.details,
    );
    this.show();
  }

  private options(withPeople: boolean): HTMLElement[] {
    const option = (value: string, text: string) => h("option", { value }, text);
    const paper = (name: string) =>
      this.choices.presets
        .filter((preset) => preset.name.startsWith(`${name}/`))
        .map((preset) => option(preset.name, preset.name));
    return [
      ...(withPeople ? [option(PERSON, "Person"), option(RANDOM, "Random moves")] : []),
      ...(withPeople
        ? [h("optgroup", { label: "Levels" }, ...allLevels().map((level) => option(seatOf(level), level.title)))]
        : []),
      option(this.choices.player, "Ludens (set the time below)"),
      option(CUSTOM, "Built from parts"),
      ...this.choices.papers.map(({ name, citation }) => h("optgroup", { label: citation }, ...paper(name))),
    ];
  }

  private choose(kind: string): void {
    if (kind !== CUSTOM) {
      this.take(kind);
      return;
    }
    const { player } = playerOf(this.seat, "");
    void this.set(this.isEngine ? player : this.choices.player).then(() => (this.details.open = true));
  }

  private get isEngine(): boolean {
    return this.seat !== PERSON && this.seat !== RANDOM;
  }

  private take(seat: Seat): void {
    this.seat = seat;
    this.show();
    this.change(seat);
  }

  /** Takes a text if the server knows what it means, or shows why not. */
  private async set(text: string): Promise<void> {
    try {
      this.take(await canonical(text));
    } catch (error) {
      this.text.value = text;
      this.error.textContent = reason(error);
      this.error.hidden = false;
    }
  }

  private show(): void {
    const known = [...this.kind.options].some((option) => option.value === this.seat);
    this.kind.value = known ? this.seat : CUSTOM;
    const level = levelOf(this.seat);
    this.text.value = this.isEngine ? playerOf(this.seat, "").player : "";
    this.text.hidden = !this.isEngine || level !== undefined;
    this.details.hidden = !this.isEngine;
    // A level is told in a line; whoever opens it sees its parts, and changing one makes it a player of its own.
    this.summary.textContent = level ? `${level.player}, ${level.budget}` : "Parts";
    this.error.hidden = true;
    if (this.isEngine && this.details.open) void this.showParts();
  }

  private toggled(): void {
    if (this.details.open && this.isEngine) void this.showParts();
  }

  private async showParts(): Promise<void> {
    const seat = this.seat;
    try {
      const spec = parse(await canonical(playerOf(seat, "").player));
      if (seat === this.seat) this.parts.replaceChildren(...this.form(spec));
    } catch (error) {
      this.parts.replaceChildren(h("p", { class: "error" }, reason(error)));
    }
  }

  private form(spec: SpecParts): HTMLElement[] {
    const submit = () => void this.set(print(spec));
    const rename = (part: SpecPart, name: string) => {
      part.name = name;
      part.args.clear();
      submit();
    };
    const params = (list: Param[], args: Map<string, string>) =>
      list.map((param) =>
        paramInput(param, args.get(param.name) ?? "", (value) => {
          args.set(param.name, value);
          submit();
        }),
      );
    const row = (label: string, part: SpecPart, from: Part[], remove?: () => void) => {
      const names = from.map((entry) =>
        h("option", { value: entry.name, selected: entry.name === part.name, title: entry.about }, entry.name),
      );
      const choice = h(
        "select",
        { "aria-label": label, onchange: (event) => rename(part, (event.target as HTMLSelectElement).value) },
        ...names,
      );
      const entry = from.find((entry) => entry.name === part.name);
      const away = remove
        ? h("button", { type: "button", class: "quiet", "aria-label": `Remove ${part.name}`, onclick: remove }, "×")
        : null;
      return h(
        "div",
        { class: "part" },
        choice,
        away,
        h("p", { class: "quiet" }, entry?.about ?? ""),
        ...params(entry?.params ?? [], part.args),
      );
    };
    const policies = spec.policies.map((policy, place) =>
      row("Playout policy", policy, this.choices.policies, () => {
        spec.policies.splice(place, 1);
        submit();
      }),
    );
    const last = this.choices.policies.find((entry) => entry.name === spec.policies[spec.policies.length - 1]?.name);
    const add = h(
      "button",
      {
        type: "button",
        onclick: () => {
          spec.policies.push({ name: "mast", args: new Map() });
          submit();
        },
      },
      "Add a playout policy",
    );
    return [
      h("h4", {}, "Selection"),
      row("Selection rule", spec.select, this.choices.selects),
      h("h4", {}, "Playouts"),
      ...policies,
      ...(last?.total ? [] : [add]),
      h("h4", {}, "Settings"),
      h("div", { class: "part" }, ...params(this.choices.settings, spec.settings)),
    ];
  }
}
