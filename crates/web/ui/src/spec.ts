// A player's text and its parts. The server checks it; here it is only taken apart for a form and put together again.

export interface SpecPart {
  name: string;
  args: Map<string, string>;
}
export interface SpecParts {
  select: SpecPart;
  policies: SpecPart[];
  settings: Map<string, string>;
}

function pairs(text: string): Map<string, string> {
  const items = text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
  return new Map(
    items.map((item) => {
      const at = item.indexOf("=");
      return [item.slice(0, at), item.slice(at + 1)];
    }),
  );
}

function part(text: string): SpecPart {
  const [, name = "", args = ""] = /^([^(]*)(?:\((.*)\))?$/.exec(text.trim()) ?? [];
  return { name: name.trim(), args: pairs(args) };
}

/** Takes a spec apart as the server writes it. */
export function parse(spec: string): SpecParts {
  const [chain = "", ...settings] = spec.split("@");
  const [select = "", ...policies] = chain.split(/\+(?![^(]*\))/);
  return { select: part(select), policies: policies.map(part), settings: pairs(settings.join(",")) };
}

/** The text of the parts; empty values are left out. */
export function print({ select, policies, settings }: SpecParts): string {
  const list = (args: Map<string, string>) =>
    [...args]
      .filter(([, value]) => value !== "")
      .map(([name, value]) => `${name}=${value}`)
      .join(",");
  const one = ({ name, args }: SpecPart) => (list(args) ? `${name}(${list(args)})` : name);
  const behind = list(settings);
  return [select, ...policies].map(one).join("+") + (behind ? `@${behind}` : "");
}
