import { describe, expect, it } from "vitest";
import { isWithinHours, nextDay, nextOpening, OPENING_SPREAD_MS, sendTime } from "../../domain/schedule.ts";

const at = (time: string) => Date.parse(`2026-03-${time}Z`);
const HOUR_MS = 3_600_000;

describe("allowed hours", () => {
  it("begin with the start hour and end before the end hour", () => {
    const hours = { startHour: 9, endHour: 22 };
    const times = ["05T08:59:59.999", "05T09:00:00.000", "05T21:59:59.999", "05T22:00:00.000"];
    expect(times.map((time) => isWithinHours(at(time), hours))).toEqual([false, true, true, false]);
  });

  it("wrap around midnight when they start later than they end", () => {
    const hours = { startHour: 22, endHour: 6 };
    const times = ["05T21:59:59", "05T22:00:00", "05T23:59:59", "06T00:00:00", "06T05:59:59", "06T06:00:00"];
    expect(times.map((time) => isWithinHours(at(time), hours))).toEqual([false, true, true, true, true, false]);
  });

  it("are the whole day when they start and end alike", () => {
    expect(isWithinHours(at("05T03:00:00"), { startHour: 9, endHour: 9 })).toBe(true);
  });

  it("open next today or tomorrow", () => {
    const hours = { startHour: 9, endHour: 22 };
    expect(nextOpening(at("05T08:00:00"), hours)).toBe(at("05T09:00:00"));
    expect(nextOpening(at("05T22:30:00"), hours)).toBe(at("06T09:00:00"));
    expect(nextOpening(at("31T23:00:00"), hours)).toBe(Date.parse("2026-04-01T09:00:00Z"));
  });

  it("give a new day at midnight in UTC", () => {
    expect(nextDay(at("05T00:00:00"))).toBe(at("06T00:00:00"));
    expect(nextDay(at("05T23:59:59.999"))).toBe(at("06T00:00:00"));
  });
});

describe("the time a message leaves", () => {
  const hours = { startHour: 9, endHour: 22 };

  it("is at once within the hours", () => {
    expect(sendTime({ dueAt: at("05T10:00:00"), now: at("05T10:00:30"), hours, spread: 0.5 })).toBe(at("05T10:00:30"));
  });

  it("is after the next opening, spread over half an hour, when it is due at night", () => {
    expect(sendTime({ dueAt: at("05T03:00:00"), now: at("05T03:00:00"), hours, spread: 0.5 })).toBe(at("05T09:15:00"));
    expect(sendTime({ dueAt: at("05T23:00:00"), now: at("05T23:00:00"), hours, spread: 0 })).toBe(at("06T09:00:00"));
  });

  it("waits for the opening when the server slept until after the closing", () => {
    expect(sendTime({ dueAt: at("05T21:59:00"), now: at("05T22:01:00"), hours, spread: 0 })).toBe(at("06T09:00:00"));
  });

  it("is within the hours and not in the past, whatever the hours and however long the server was down", () => {
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
