// Elements in one expression, and the two places where the page speaks to the person.

type Child = Node | string | number | null | undefined | false;
type Attributes = Record<string, string | number | boolean | EventListener | undefined>;

function fill(element: Element, attributes: Attributes, children: Child[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== undefined) element.setAttribute(name, String(value));
  }
  element.append(
    ...children
      .filter((child) => child !== null && child !== undefined && child !== false)
      .map((child) => (child instanceof Node ? child : String(child))),
  );
}

/** An element of HTML. An attribute `onclick` is a listener, one that is `false` is left out. */
export function h<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  fill(element, attributes, children);
  return element;
}

/** An element of SVG. */
export function s<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[Name] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  fill(element, attributes, children);
  return element;
}

function place(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no #${id}`);
  return element;
}

/** Tells users of screen readers what has happened. */
export function announce(text: string): void {
  place("announcer").textContent = text;
}

/** Shows a sentence on top of the page until the next one; an empty one hides it. */
export function notice(text: string): void {
  const element = place("notice");
  element.textContent = text;
  element.hidden = text === "";
}

/** What to tell of an error. */
export function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Gives the person a file. */
export function download(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** Copies a link for the person; where the browser forbids that, the reason brings the link. */
export async function copyLink(hash: string): Promise<void> {
  const link = new URL(hash, location.href).href;
  try {
    await navigator.clipboard.writeText(link);
  } catch {
    throw new Error(`The browser does not allow the page to copy; the link is ${link}`);
  }
  announce("The link is copied.");
}

/** A count with a comma between thousands. */
export function grouped(count: number): string {
  return Math.round(count).toLocaleString("en");
}

/** A share in percent. */
export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
