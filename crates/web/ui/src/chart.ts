// Small charts of numbers over time.

import { h, s } from "./dom";

export interface Series {
  name: string;
  points: { x: number; y: number }[];
  /** The colour of a role; the next of the palette if there is none. */
  colour?: string;
}

/** Something worth a look at a place of the first line. */
export interface Flag {
  x: number;
  kind: string;
  text: string;
}

export interface ChartOptions {
  label: string;
  /** The range of the vertical axis; what the numbers need if it is not given. */
  range?: [number, number];
  format(value: number): string;
  /** A place on the horizontal axis was clicked. */
  pick?(x: number): void;
  flags?: Flag[];
  /** A line at this place of the horizontal axis. */
  cursor?: number;
}

const [WIDTH, HEIGHT] = [360, 130];
const [LEFT, RIGHT, TOP, BOTTOM] = [46, 8, 8, 20];

/** Lines over a common axis, with a legend if there are several. */
export function chart(series: Series[], options: ChartOptions): HTMLElement {
  const all = series.flatMap((line) => line.points);
  const xs = all.map((point) => point.x);
  const ys = all.map((point) => point.y);
  const [low, high] = options.range ?? [Math.min(...ys), Math.max(...ys)];
  const [first, last] = [Math.min(...xs), Math.max(...xs)];
  const x = (value: number) => LEFT + ((value - first) / (last - first || 1)) * (WIDTH - LEFT - RIGHT);
  const y = (value: number) => HEIGHT - BOTTOM - ((value - low) / (high - low || 1)) * (HEIGHT - TOP - BOTTOM);
  const svg = s("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": options.label, class: "chart" });
  for (const value of [low, (low + high) / 2, high]) {
    svg.append(
      s("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: y(value), y2: y(value), class: "grid" }),
      s("text", { x: LEFT - 5, y: y(value) + 4, "text-anchor": "end" }, options.format(value)),
    );
  }
  if (options.cursor !== undefined && options.cursor >= first && options.cursor <= last)
    svg.append(
      s("line", { x1: x(options.cursor), x2: x(options.cursor), y1: TOP, y2: HEIGHT - BOTTOM, class: "cursor" }),
    );
  const colour = (index: number) => series[index]?.colour ?? `var(--s${index % 7})`;
  series.forEach((line, index) => {
    const points = line.points.map((point) => `${x(point.x).toFixed(1)},${y(point.y).toFixed(1)}`).join(" ");
    svg.append(s("polyline", { points, class: "line", stroke: colour(index) }, s("title", {}, line.name)));
    if (line.points.length < 40)
      svg.append(
        ...line.points.map((point) => s("circle", { cx: x(point.x), cy: y(point.y), r: 2.5, fill: colour(index) })),
      );
  });
  for (const flag of options.flags ?? []) {
    const point = series[0]?.points.find((point) => point.x === flag.x);
    if (point)
      svg.append(
        s("circle", { cx: x(point.x), cy: y(point.y), r: 5, class: `flag ${flag.kind}` }, s("title", {}, flag.text)),
      );
  }
  svg.append(s("text", { x: LEFT, y: HEIGHT - 5 }, first.toLocaleString("en")));
  if (last > first)
    svg.append(s("text", { x: WIDTH - RIGHT, y: HEIGHT - 5, "text-anchor": "end" }, last.toLocaleString("en")));
  if (options.pick) {
    svg.classList.add("pick");
    svg.addEventListener("click", (event) => {
      const place = svg.getBoundingClientRect();
      const share = (((event.clientX - place.left) / place.width) * WIDTH - LEFT) / (WIDTH - LEFT - RIGHT);
      options.pick!(Math.round(first + Math.min(1, Math.max(0, share)) * (last - first)));
    });
  }
  const legend =
    series.length < 2
      ? null
      : h(
          "ul",
          { class: "legend" },
          ...series.map((line, index) => {
            const entry = h("li", {}, line.name);
            entry.style.setProperty("--colour", colour(index));
            return entry;
          }),
        );
  return h("div", { class: "chart-box" }, svg, legend);
}
