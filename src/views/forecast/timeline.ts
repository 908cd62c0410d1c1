import type { Forecast, ForecastItem } from "../../../domain/forecast.ts";

const HOUR = 3_600_000;

/** A dot's width, and the maximum number of stacked dots. */
export const DOT = 13;
export const HIGHEST = 6;

/** Maps a time to a position on a line of `width`, with `side` as margin at both ends; times outside are clamped. */
export const placeOf =
  ([start, end]: readonly [number, number], width: number, side: number) =>
  (time: number): number =>
    side + Math.min(1, Math.max(0, (time - start) / (end - start))) * (width - 2 * side);

export type Dot = { item: ForecastItem; index: number; x: number; level: number };
export type Bar = { key: string; from: number; to: number; count: number };

/** Positions each message as a dot at its time and stacks simultaneous ones; null if a stack would be too high. */
export function dotsOf(items: readonly ForecastItem[], xOf: (time: number) => number): Dot[] | null {
  const heights = new Map<number, number>();
  const dots = items.map((item, index): Dot => {
    const column = Math.floor(xOf(Date.parse(item.at)) / DOT);
    const level = heights.get(column) ?? 0;
    heights.set(column, level + 1);
    return { item, index, x: (column + 0.5) * DOT, level };
  });
  return Math.max(0, ...heights.values()) > HIGHEST ? null : dots;
}

/** Counts the messages of each hour in the visible range. */
export const barsOf = ({ by_hour }: Forecast, [start, end]: readonly [number, number]): Bar[] =>
  by_hour.flatMap(({ hour, count }) => {
    const from = Math.max(start, Date.parse(hour));
    const to = Math.min(end, Date.parse(hour) + HOUR);
    return count > 0 && from < to ? [{ key: hour, from, to, count }] : [];
  });

/** Returns every nth full hour in the user's time zone. */
export function hoursOf([start, end]: readonly [number, number], every: number): number[] {
  const first = new Date(start);
  first.setMinutes(0, 0, 0);
  const hours: number[] = [];
  for (let time = first.getTime(); time <= end; time += HOUR)
    if (time >= start && new Date(time).getHours() % every === 0) hours.push(time);
  return hours;
}
