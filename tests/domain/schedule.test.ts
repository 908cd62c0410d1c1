import { describe, expect, it } from "vitest";
import { isWithinHours, nextDay, nextOpening, OPENING_SPREAD_MS, sendTime } from "../../domain/schedule.ts";

const at = (time: string) => Date.parse(`2026-03-${time}Z`);
const HOUR_MS = 3_600_000;

describe("allowed hours", () => {
  it("start at the start hour and end before the end hour", () => {
    const hours = { startHour: 9, endHour: 22 };
    const times = ["05T08:59:59.999", "05T09:00:00.000", "05T21:59:59.999", "05T22:00:00.000"];
    expect(times.map((time) => isWithinHours(at(time), hours))).toEqual([false, true, true, false]);
  });

  it("open today or tomorrow", () => {
    const hours = { startHour: 9, endHour: 22 };
    expect(nextOpening(at("05T08:00:00"), hours)).toBe(at("05T09:00:00"));
    expect(nextOpening(at("05T22:30:00"), hours)).toBe(at("06T09:00:00"));
    expect(nextOpening(at("31T23:00:00"), hours)).toBe(Date.parse("2026-04-01T09:00:00Z"));
  });

  it("start a new day at midnight UTC", () => {
    expect(nextDay(at("05T00:00:00"))).toBe(at("06T00:00:00"));
    expect(nextDay(at("05T23:59:59.999"))).toBe(at("06T00:00:00"));
  });
});

describe("the time a message leaves", () => {
  const hours = { startHour: 9, endHour: 22 };

  it("is immediate within the hours", () => {
    expect(sendTime({ dueAt: at("05T10:00:00"), now: at("05T10:00:30"), hours, spread: 0.5 })).toBe(at("05T10:00:30"));
  });

  it("is within half an hour after the next opening when due at night", () => {
    expect(sendTime({ dueAt: at("05T03:00:00"), now: at("05T03:00:00"), hours, spread: 0.5 })).toBe(at("05T09:15:00"));
    expect(sendTime({ dueAt: at("05T23:00:00"), now: at("05T23:00:00"), hours, spread: 0 })).toBe(at("06T09:00:00"));
  });

  it("waits for the next opening when the server was down until after closing", () => {
    expect(sendTime({ dueAt: at("05T21:59:00"), now: at("05T22:01:00"), hours, spread: 0 })).toBe(at("06T09:00:00"));
  });

  it("is within the hours and not in the past after any downtime", () => {
    let cases = 0;
    for (let startHour = 0; startHour < 24; startHour += 1) {
      for (let endHour = 0; endHour < 24; endHour += 1) {
        for (let outage = 0; outage < 10; outage += 1) {
          const dueAt = at("05T00:30:00") + ((startHour * 7 + endHour * 5 + outage) % 24) * HOUR_MS;
          const now = dueAt + outage * outage * HOUR_MS * 0.9;
          const leaves = sendTime({ dueAt, now, hours: { startHour, endHour }, spread: (outage + 0.5) / 10 });
          expect(leaves).toBeGreaterThanOrEqual(now);
          expect(isWithinHours(leaves, { startHour, endHour })).toBe(true);
          expect(leaves - now).toBeLessThanOrEqual(24 * HOUR_MS + OPENING_SPREAD_MS);
          cases += 1;
        }
      }
    }
    expect(cases).toBe(5_760);
  });
});

describe("hours of a zone", () => {
  const QUARTER_MS = HOUR_MS / 4;
  const ZONES = (
    "America/New_York Europe/Berlin America/Santiago Africa/Cairo " +
    "Asia/Beirut Australia/Lord_Howe Pacific/Chatham Atlantic/Azores"
  ).split(" ");
  const DAYS = [null, [1, 2, 3, 4, 5], [7], [4, 5]];
  const NAMES = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

  /** Returns the local time of a zone as Intl formats it. */
  const clockOf = (zone: string) => {
    const shown = { timeZone: zone, weekday: "short", hour: "2-digit", hourCycle: "h23" } as const;
    const format = new Intl.DateTimeFormat("en-GB", shown);
    return (time: number) => {
      const [day = "", hour = ""] = format.format(time).split(/,? /);
      return { day: NAMES.indexOf(day) + 1, hour: Number(hour) };
    };
  };

  /** Returns a time one day before each day of a year on which a zone's clocks change. */
  const changesOf = (zone: string): number[] => {
    const name = new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "longOffset" });
    const offset = (time: number) => name.format(time).split("GMT")[1];
    const starts: number[] = [];
    for (let time = Date.UTC(2026, 0, 1); time < Date.UTC(2027, 0, 1); time += 24 * HOUR_MS)
      if (offset(time) !== offset(time + 24 * HOUR_MS)) starts.push(time - 24 * HOUR_MS);
    return starts;
  };

  it("are right on both clock changes in eight zones, also in gaps and overlaps", () => {
    const wrong: string[] = [];
    let cases = 0;
    for (const zone of ZONES) {
      const clock = clockOf(zone);
      const changes = changesOf(zone);
      expect([zone, changes.length]).toEqual([zone, 2]);
      for (const start of changes) {
        const times = Array.from({ length: 10 * 96 }, (_, index) => start + index * QUARTER_MS);
        const shown = times.map((time) => clock(time));
        for (let hour = 0; hour < 24; hour += 1) {
          for (const length of [1, 9, 0]) {
            for (const weekdays of DAYS) {
              const hours = { startHour: hour, endHour: (hour + length) % 24, zone, weekdays };
              const isOpen = shown.map(
                (at) => (length === 0 || (at.hour - hour + 24) % 24 < length) && (weekdays?.includes(at.day) ?? true),
              );
              // From an hour before the day of the change until a day after it.
              for (let index = 92; index < 290; index += 11) {
                const time = (times[index] as number) + 61_000;
                cases += 1;
                if (isWithinHours(time, hours) !== isOpen[index])
                  wrong.push(`${zone} ${JSON.stringify(hours)} ${time}`);
                if (length === 0 && weekdays === null) continue;
                let opens = index + 1;
                while (opens < isOpen.length && (!isOpen[opens] || isOpen[opens - 1])) opens += 1;
                if (opens < isOpen.length && nextOpening(time, hours) !== times[opens])
                  wrong.push(`${zone} ${JSON.stringify(hours)} opens after ${new Date(time).toISOString()}`);
                const leaves = sendTime({ dueAt: time, now: time, hours, spread: 0.999 });
                if (leaves < time || !isWithinHours(leaves, hours))
                  wrong.push(`${zone} ${JSON.stringify(hours)} leaves ${new Date(leaves).toISOString()}`);
              }
            }
          }
        }
      }
    }
    expect([wrong.slice(0, 5), cases]).toEqual([[], 16 * 24 * 3 * 4 * 18]);
  });

  it("open once when the first hour repeats, and never when the only hour is skipped", () => {
    const twice = { startHour: 1, endHour: 3, zone: "America/New_York" };
    expect(nextOpening(Date.parse("2026-11-01T04:00:00Z"), twice)).toBe(Date.parse("2026-11-01T05:00:00Z"));
    expect(nextOpening(Date.parse("2026-11-01T05:30:00Z"), twice)).toBe(Date.parse("2026-11-02T06:00:00Z"));
    const never = { startHour: 2, endHour: 3, zone: "America/New_York", weekdays: [7] };
    expect(nextOpening(Date.parse("2026-03-07T12:00:00Z"), never)).toBe(Date.parse("2026-03-15T06:00:00Z"));
    const half = { startHour: 2, endHour: 3, zone: "Australia/Lord_Howe" };
    expect(nextOpening(Date.parse("2026-10-03T12:00:00Z"), half)).toBe(Date.parse("2026-10-03T15:30:00Z"));
  });

  it("are in UTC without a zone, to the millisecond, also on certain weekdays", () => {
    for (let hour = 0; hour < 24 * 7; hour += 1) {
      const time = at("02T00:00:00") + hour * HOUR_MS - 1;
      const plain = { startHour: 9, endHour: 22 };
      const full = { ...plain, zone: null, weekdays: [1, 2, 3, 4, 5, 6, 7] };
      expect([isWithinHours(time, full), nextOpening(time, full)]).toEqual([
        isWithinHours(time, plain),
        nextOpening(time, plain),
      ]);
    }
    const workdays = { startHour: 9, endHour: 9, weekdays: [1, 2, 3, 4, 5] };
    expect(nextOpening(at("07T10:00:00"), workdays)).toBe(at("09T00:00:00"));
    expect(isWithinHours(at("06T23:59:59"), workdays)).toBe(true);
  });
});
