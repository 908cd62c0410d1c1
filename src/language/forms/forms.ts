export type Unit = "minute" | "hour" | "day" | "kilobyte" | "megabyte";

/** How one language formats numbers, times and lists. Times are in the user's time zone. */
export type Forms = {
  /** Rounded to three decimals. */
  number: (value: number) => string;
  /** With all decimals. */
  exact: (value: number) => string;
  /** @param value 33.3 for 33.3 % */
  percent: (value: number) => string;
  /** Such as `5 March 2026`. */
  date: (at: Date) => string;
  /** Such as `5 Mar`, with a year `5 Mar 2026`. */
  shortDate: (at: Date, hasYear: boolean) => string;
  /** Such as `14:05`. */
  time: (at: Date) => string;
  /** Such as `5 March 2026, 14:05`. */
  moment: (at: Date) => string;
  /** The language's full date and time, with seconds. */
  full: (at: Date) => string;
  /** Such as `2h ago`. */
  ago: (count: number, unit: "minute" | "hour" | "day") => string;
  /** Such as `3 h` or `2.3 MB`. */
  amount: (count: number, unit: Unit, decimals?: number) => string;
  /** @param day 1 is Monday */
  weekday: (day: number, width: "long" | "short") => string;
  /** Such as `a, b and c`. */
  list: (items: readonly string[]) => string;
};

/** The options of a number format that rounds nothing. */
export const ALL_DECIMALS = { maximumFractionDigits: 20 };

/** Calls `make` once, on first use: an `Intl` formatter can take hundreds of milliseconds to create. */
export function lazily<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

export const twoDigits = (value: number): string => String(value).padStart(2, "0");

/** Such as `14:05`. */
export const clock = (at: Date): string => `${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}`;
