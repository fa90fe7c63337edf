// A piece in a hand: pressed, dragged across the board, let go over a cell. A press without a drag is a click, as ever.

import type { Point } from "./geometry";

interface DragOptions {
  /** A hand moves away with the piece of a cell: gives its drawing, or nothing if it must stay. */
  begin(cell: number): SVGElement | null;
  /** The hand lets go over the cell of a name, or beside the board. */
  end(cell: string | null): void;
}

/** A hand that trembles by fewer pixels does not drag. */
const MIN_WAY = 6;

export class Drag {
  constructor(private readonly options: DragOptions) {}

  press(down: PointerEvent, cell: number, svg: SVGSVGElement): void {
    if (down.button !== 0) return;
    let figure: SVGElement | null = null;
    let start = "";
    const at = (event: PointerEvent): Point => {
      const matrix = svg.getScreenCTM()?.inverse();
      return new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
    };
    const move = (event: PointerEvent) => {
      if (!figure) {
        if (Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) < MIN_WAY) return;
        figure = this.options.begin(cell);
        if (!figure) return stop();
        start = figure.getAttribute("transform") ?? "";
        figure.classList.add("held");
        figure.parentNode?.append(figure);
      }
      const { x, y } = at(event);
      figure.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
    };
    const up = (event: PointerEvent) => {
      stop();
      if (!figure) return;
      figure.classList.remove("held");
      figure.setAttribute("transform", start);
      const target = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-cell]");
      this.options.end(target?.getAttribute("data-cell") ?? null);
    };
    const stop = () => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", up);
      removeEventListener("pointercancel", up);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", up);
    addEventListener("pointercancel", up);
  }
}
