import type { Plugin } from "vite";

/**
 * What the charts' packages draw in for times, colours and texts of ticks (8 KB after gzip), and the little that stands in
 * for it here: counts and shares are plain numbers at both ends of a scale. What is left out says so when it is asked for.
 */
const PARTS = [
  {
    source: "./nice.js",
    importer: /\/@visx\/scale\/esm\/operators\//,
    code: `export default (scale, { nice }) => {
  if (typeof nice === "string" || typeof nice === "object") throw new Error("scales of time are left out of the build");
  if (nice) scale.nice(nice === true ? undefined : nice);
};`,
  },
  {
    source: "./interpolate.js",
    importer: /\/@visx\/scale\/esm\/operators\//,
    code: `export default (_scale, { interpolate }) => {
  if (interpolate !== undefined) throw new Error("scales of colours are left out of the build");
};`,
  },
  {
    source: "./tickFormat.js",
    importer: /\/d3-scale\/src\//,
    code: `export default () => {
  throw new Error("the texts of ticks are left out of the build");
};`,
  },
  {
    source: "./value.js",
    importer: /\/d3-interpolate\/src\/index\.js$/,
    code: `export default (start, end) => {
  if (typeof end !== "number") throw new Error("scales of anything but numbers are left out of the build");
  return (share) => start * (1 - share) + end * share;
};`,
  },
  {
    source: "classnames",
    importer: /\/@visx\//,
    code: `export default (...names) => {
  if (names.some((name) => typeof name === "object" && name !== null)) throw new Error("only plain class names are joined here");
  return names.filter(Boolean).join(" ");
};`,
  },
];

/** Builds the charts' packages without the parts that no chart of numbers needs. */
export const slimCharts = (): Plugin => {
  const codes = new Map<string, string>();
  return {
    name: "slim-charts",
    apply: "build",
    enforce: "pre",
    resolveId(source, importer = "") {
      const part = PARTS.find((known) => known.source === source && known.importer.test(importer));
      if (!part) return null;
      const id = `\0slim-charts/${source}`;
      codes.set(id, part.code);
      return { id, moduleSideEffects: false };
    },
    load: (id) => codes.get(id) ?? null,
  };
};
