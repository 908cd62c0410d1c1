import { createRequire } from "node:module";
import type { ELK, ElkExtendedEdge, ElkNode } from "elkjs";
import { type ChartNode, type Edge, statesOf } from "./chart.ts";
import { linesOf } from "./mermaid.ts";

export const TITLE_HEIGHT = 24;
export const LINE_HEIGHT = 15;
export const LABEL_HEIGHT = 13;
const LINE_WIDTH = 6.1;
const TITLE_WIDTH = 7.6;
const LABEL_WIDTH = 5.6;
const START_SIZE = 10;

export type Box = { id: string; node: ChartNode; lines: string[]; x: number; y: number; width: number; height: number };
export type Line = {
  points: { x: number; y: number }[];
  labels: { x: number; y: number; width: number; text: string }[];
};
export type Layout = { width: number; height: number; boxes: Box[]; starts: { x: number; y: number }[]; lines: Line[] };

const OPTIONS = {
  "elk.algorithm": "layered",
  "elk.direction": "DOWN",
  "elk.hierarchyHandling": "INCLUDE_CHILDREN",
  "elk.edgeRouting": "ORTHOGONAL",
  "elk.json.edgeCoords": "ROOT",
  "elk.json.shapeCoords": "ROOT",
  "elk.layered.cycleBreaking.strategy": "DEPTH_FIRST",
  "elk.edgeLabels.inline": "true",
  "elk.spacing.nodeNode": "28",
  "elk.spacing.edgeNode": "16",
  "elk.spacing.edgeLabel": "4",
  "elk.layered.spacing.nodeNodeBetweenLayers": "26",
  "elk.layered.spacing.edgeNodeBetweenLayers": "14",
};

const elk = (() => {
  const Constructor = createRequire(import.meta.url)("elkjs/lib/elk.bundled.js") as new () => ELK;
  return new Constructor();
})();

/** Places every state and transition of a chart. Coordinates are whole pixels from the top left corner. */
export async function layoutOf(chart: ChartNode): Promise<Layout> {
  const picture: ElkNode = {
    id: "picture",
    layoutOptions: { ...OPTIONS, "elk.padding": "[top=12,left=12,bottom=12,right=12]" },
    children: [elkNodeOf(chart)],
    edges: elkEdgesOf(chart),
  };
  const placed = await elk.layout(picture);
  const known = new Map([chart, ...statesOf(chart)].map((node) => [node.id, node]));
  const boxes: Box[] = [];
  const starts: { x: number; y: number }[] = [];
  const collect = ({ id, x = 0, y = 0, width = 0, height = 0, children = [] }: ElkNode) => {
    const node = known.get(id);
    if (node) boxes.push({ id, node, lines: linesOf(node), ...rounded({ x, y, width, height }) });
    else starts.push(rounded({ x: x + START_SIZE / 2, y: y + START_SIZE / 2 }));
    for (const child of children) collect(child);
  };
  for (const child of placed.children ?? []) collect(child);
  return {
    ...rounded({ width: placed.width ?? 0, height: placed.height ?? 0 }),
    boxes,
    starts,
    lines: (placed.edges ?? []).map(lineOf),
  };
}

function elkNodeOf(node: ChartNode): ElkNode {
  const lines = linesOf(node);
  const width = Math.max(
    node.key.length * TITLE_WIDTH + 24,
    ...lines.map((line) => line.length * LINE_WIDTH + 20),
    node.children.length === 0 ? 70 : 0,
  );
  const head = TITLE_HEIGHT + lines.length * LINE_HEIGHT + (lines.length > 0 ? 4 : 0);
  if (node.children.length === 0) return { id: node.id, width, height: Math.max(34, head + 6) };
  const start = node.initial === null ? [] : [{ id: startId(node), width: START_SIZE, height: START_SIZE }];
  return {
    id: node.id,
    layoutOptions: {
      ...OPTIONS,
      "elk.padding": `[top=${head + 12},left=16,bottom=16,right=16]`,
      "elk.nodeSize.constraints": "MINIMUM_SIZE",
      "elk.nodeSize.minimum": `(${Math.ceil(width)},${head + 20})`,
    },
    children: [...start, ...node.children.map(elkNodeOf)],
  };
}

const startId = (node: ChartNode) => `${node.id} start`;

function elkEdgesOf(chart: ChartNode): ElkExtendedEdge[] {
  const all = [chart, ...statesOf(chart)];
  const starts = all.flatMap((node) =>
    node.initial === null ? [] : [{ id: `${node.id} begins`, sources: [startId(node)], targets: [node.initial] }],
  );
  return [...starts, ...grouped(all.flatMap(({ edges }) => edges)).map(elkEdgeOf)];
}

/** Groups transitions between the same two states into one arrow, with one line of text each. */
function grouped(edges: Edge[]): { source: string; target: string; labels: string[] }[] {
  const groups = new Map<string, { source: string; target: string; labels: string[] }>();
  for (const { source, target, isInner, label } of edges) {
    if (target === null || isInner) continue;
    const key = `${source} ${target}`;
    const group = groups.get(key) ?? { source, target, labels: [] };
    group.labels.push(label);
    groups.set(key, group);
  }
  return [...groups.values()];
}

const elkEdgeOf = ({
  source,
  target,
  labels,
}: {
  source: string;
  target: string;
  labels: string[];
}): ElkExtendedEdge => ({
  id: `${source} to ${target}`,
  sources: [source],
  targets: [target],
  labels: labels
    .filter((text) => text !== "")
    .map((text) => ({ text, width: text.length * LABEL_WIDTH + 6, height: LABEL_HEIGHT })),
});

function lineOf({ sections = [], labels = [] }: ElkExtendedEdge): Line {
  const [section] = sections;
  const points = section ? [section.startPoint, ...(section.bendPoints ?? []), section.endPoint] : [];
  return {
    points: points.map(({ x, y }) => rounded({ x, y })),
    labels: labels.map(({ x = 0, y = 0, width = 0, text = "" }) => ({ text, ...rounded({ x, y, width }) })),
  };
}

function rounded<Shape extends Record<string, number>>(shape: Shape): Shape {
  return Object.fromEntries(Object.entries(shape).map(([key, value]) => [key, Math.round(value)])) as Shape;
}
