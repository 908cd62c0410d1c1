const DAY_MS = 86_400_000;
/** Clocks change at these moments alone. */
const QUARTER_MS = 15 * 60_000;
const DAYS_MAX = 2_000;
/** More than there are zone names; names in any upper or lower case are accepted, so the cache needs a limit. */
const ZONES_MAX = 1_000;

/** A UTC day: the offset at its start, the offset at its end, and when that one begins. */
type Day = { before: number; after: number; changesAt: number };
type Zone = { format: Intl.DateTimeFormat; byDay: Map<number, Day> };
const zones = new Map<string, Zone>();

function zoneOf(name: string): Zone {
  let zone = zones.get(name);
  if (zone === undefined) {
    const format = new Intl.DateTimeFormat("en-US", {
      timeZone: name,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    zone = { format, byDay: new Map() };
    if (zones.size >= ZONES_MAX) zones.clear();
    zones.set(name, zone);
  }
  return zone;
}

function readOffset({ format }: Zone, at: number): number {
  const parts: Record<string, number> = {};
  for (const { type, value } of format.formatToParts(at)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  const seconds = at - (((at % 1_000) + 1_000) % 1_000);
  return Date.UTC(year, month - 1, day, hour, minute, second) - seconds;
}

function readDay(zone: Zone, start: number): Day {
  const before = readOffset(zone, start);
  const after = readOffset(zone, start + DAY_MS);
  let low = 0;
  let high = before === after ? 0 : DAY_MS / QUARTER_MS;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (readOffset(zone, start + middle * QUARTER_MS) === before) low = middle;
    else high = middle;
  }
  return { before, after, changesAt: start + high * QUARTER_MS };
}

/**
 * A zone's offset from UTC at a time, in milliseconds. Intl is called once per UTC day.
 * @param name an IANA name
 * @throws RangeError for an unknown name
 */
export function offsetOf(name: string, at: number): number {
  const zone = zoneOf(name);
  const number = Math.floor(at / DAY_MS);
  let day = zone.byDay.get(number);
  if (day === undefined) {
    day = readDay(zone, number * DAY_MS);
    if (zone.byDay.size >= DAYS_MAX) zone.byDay.clear();
    zone.byDay.set(number, day);
  }
  return at < day.changesAt ? day.before : day.after;
}
