// Keys that work wherever the focus is, except where somebody types.

/** Listens to the keys of a part of the page, while it is shown. */
export function listen(
  element: HTMLElement,
  actions: Record<string, () => Promise<void> | void>,
  act: (action: () => Promise<void> | void) => void,
): void {
  document.addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    const isElsewhere =
      !element.isConnected ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      document.querySelector("dialog[open]") !== null ||
      ["INPUT", "SELECT", "TEXTAREA"].includes(target.tagName);
    const action = actions[event.key];
    if (isElsewhere || !action) return;
    event.preventDefault();
    act(action);
  });
}
