import type { ChartNode } from "./chart.ts";
import { type Box, LABEL_HEIGHT, LINE_HEIGHT, type Line, TITLE_HEIGHT, layoutOf } from "./layout.ts";

const STYLE = `
  svg { --paper: #fff; --ink: #1a1c1e; --muted: #5b6066; --edge: #8a8d88; --box: #f6f6f4; --region: #fff; --border: #c9cbc6; --live: #0b6e5f; --glow: #d4efe9; }
  @media (prefers-color-scheme: dark) { svg { --paper: #131417; --ink: #edeef0; --muted: #a2a8b1; --edge: #767c86; --box: #23262b; --region: #1b1d21; --border: #3a3f47; --live: #4cc9b0; --glow: #12403a; } }
  text { font-family: system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; fill: var(--ink); }
  .paper { fill: var(--paper); }
  .title { font-size: 13px; font-weight: 600; }
  .line { font-size: 11px; fill: var(--muted); }
  .label { font-size: 10px; }
  .label-paper { fill: var(--region); fill-opacity: 0.85; }
  .box { fill: var(--box); stroke: var(--border); }
  .compound > .box { fill: var(--region); }
  .region > .box { stroke-dasharray: 5 4; }
  .final > .box { stroke-width: 3; }
  .edge { fill: none; stroke: var(--edge); stroke-width: 1.2; }
  .arrow, .start { fill: var(--edge); }
  [data-live] > .box { stroke: var(--live); stroke-width: 2.5; }
  [data-live]:not(.compound) > .box { fill: var(--glow); }
`;

/** Draws a chart. Every state's group has its id as `data-state`, so that a page can highlight the active one. */
export async function svgOf(chart: ChartNode): Promise<string> {
  const { width, height, boxes, starts, lines } = await layoutOf(chart);
  const regions = new Set(
    boxes.filter(({ node }) => node.type === "parallel").flatMap(({ node }) => node.children.map(({ id }) => id)),
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="Statechart of ${escaped(chart.key)}">`,
    `<style>${STYLE}</style>`,
    `<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="arrow" d="M0 0L8 4L0 8z"/></marker></defs>`,
    `<rect class="paper" width="${width}" height="${height}"/>`,
    ...boxes.map((box) => boxOf(box, regions.has(box.id))),
    ...starts.map(({ x, y }) => `<circle class="start" cx="${x}" cy="${y}" r="5"/>`),
    ...lines.map(pathOf),
    ...lines.flatMap(labelsOf),
    `</svg>`,
    "",
  ].join("\n");
}

function boxOf({ id, node, lines, x, y, width, height }: Box, isRegion: boolean): string {
  const kind = [
    node.children.length > 0 ? "compound" : "leaf",
    isRegion ? "region" : "",
    node.type === "final" ? "final" : "",
  ];
  const texts = lines.map(
    (line, index) =>
      `<text class="line" x="${x + 10}" y="${y + TITLE_HEIGHT + 10 + index * LINE_HEIGHT}">${escaped(line)}</text>`,
  );
  return [
    `<g class="${kind.filter(Boolean).join(" ")}" data-state="${escaped(id)}">`,
    `<rect class="box" x="${x}" y="${y}" width="${width}" height="${height}" rx="8"/>`,
    `<text class="title" x="${x + 10}" y="${y + 18}">${escaped(node.key)}</text>`,
    ...texts,
    `</g>`,
  ].join("");
}

function pathOf({ points }: Line): string {
  const path = points.map(({ x, y }, index) => `${index === 0 ? "M" : "L"}${x} ${y}`).join("");
  return `<path class="edge" d="${path}" marker-end="url(#arrow)"/>`;
}

function labelsOf({ labels }: Line): string[] {
  return labels.map(
    ({ x, y, width, text }) =>
      `<rect class="label-paper" x="${x}" y="${y}" width="${width}" height="${LABEL_HEIGHT}"/><text class="label" x="${x + 3}" y="${y + 10}">${escaped(text)}</text>`,
  );
}

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
