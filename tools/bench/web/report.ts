import { KB } from "./sizes.ts";
import type { Frame } from "./probe.ts";

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
};

export const kb = (bytes: number): string => `${(bytes / KB).toFixed(1)} KB`;
export const mb = (bytes: number): string => `${(bytes / 1e6).toFixed(2)} MB`;
export const ms = (time: number): string => `${time.toFixed(0)} ms`;

/** Returns the median with minimum and maximum. */
export const spread = (values: readonly number[], unit: (value: number) => string): string =>
  `${unit(median(values))} [${unit(Math.min(...values))} to ${unit(Math.max(...values))}]`;

const missed: string[] = [];

/** Prints a figure. Marks one that misses its budget, and stores it with its cause. */
export function line(
  what: string,
  figure: string,
  budget: { limit: string; isMet: boolean; cause?: string } | null = null,
): void {
  const isMet = budget?.isMet ?? true;
  console.log(`${isMet ? " " : "✗"} ${what.padEnd(44)} ${figure.padEnd(34)}${budget ? ` budget ${budget.limit}` : ""}`);
  if (!isMet) missed.push(`${what}: ${figure}, budget ${budget?.limit}. ${budget?.cause ?? ""}`);
}

export function reportMissed(): void {
  console.log(missed.length === 0 ? "\nAll budgets are met." : "\nMissed budgets");
  for (const one of missed) console.log(`✗ ${one}`);
}

/** Describes the longest frame and what took its time. */
export function describeFrames(frames: readonly Frame[]): string {
  const longest = frames.reduce<Frame | null>(
    (most, one) => (most && most.duration >= one.duration ? most : one),
    null,
  );
  if (longest === null) return "No frame took over 50 ms: the page was waiting.";
  const scripts = longest.scripts
    .toSorted((a, b) => b.duration - a.duration)
    .slice(0, 3)
    .map(
      ({ invoker, source, duration }) =>
        `${ms(duration)} in ${source.split("/").at(-1) || "the page"} (${shortInvoker(invoker)})`,
    );
  const layout = `${ms(longest.styleAndLayout)} for styles and layout`;
  return `The longest frame, ${ms(longest.duration)} from ${ms(longest.start)}: ${[...scripts, layout].join(", ")}.`;
}

const shortInvoker = (invoker: string) => (/^https?:/.test(invoker) ? "its evaluation" : invoker);
