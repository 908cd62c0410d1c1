import type { Forecast, ForecastItem } from "../../../domain/forecast.ts";

const HOUR = 3_600_000;

/** How wide a dot stands, and so many stand on top of each other. */
export const DOT = 13;
export const HIGHEST = 6;

/** Where a moment stands on a line of `width`, with `side` left free at both ends; what lies outside stands at an end. */
export const placeOf =
  ([start, end]: readonly [number, number], width: number, side: number) =>
  (time: number): number =>
    side + Math.min(1, Math.max(0, (time - start) / (end - start))) * (width - 2 * side);

export type Dot = { item: ForecastItem; index: number; x: number; level: number };
export type Bar = { key: string; from: number; to: number; count: number };

/** Each message as a dot at its time, those of one time on top of each other; null where they would stand too high. */
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

/** How many go out in each hour, within the time that is shown. */
export const barsOf = ({ by_hour }: Forecast, [start, end]: readonly [number, number]): Bar[] =>
  by_hour.flatMap(({ hour, count }) => {
    const from = Math.max(start, Date.parse(hour));
    const to = Math.min(end, Date.parse(hour) + HOUR);
    return count > 0 && from < to ? [{ key: hour, from, to, count }] : [];
  });

/** The person's own full hours within the time, every so many of them. */
export function hoursOf([start, end]: readonly [number, number], every: number): number[] {
  const first = new Date(start);
  first.setMinutes(0, 0, 0);
  const hours: number[] = [];
  for (let time = first.getTime(); time <= end; time += HOUR)
    if (time >= start && new Date(time).getHours() % every === 0) hours.push(time);
  return hours;
}
