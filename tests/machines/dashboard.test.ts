import { describe, expect, it } from "vitest";
import { lastLeadText } from "../../src/machines/dashboard/dashboard.figures.ts";

describe("the last lead", () => {
  const now = Date.parse("2026-11-21T12:00:00Z");
  const ago = (seconds: number) => new Date(now - seconds * 1000).toISOString();
  it.each([
    [null, "None yet"],
    ["not a date", "—"],
    [ago(0), "just now"],
    [ago(59), "just now"],
    [ago(60), "1m ago"],
    [ago(3_599), "59m ago"],
    [ago(3_600), "1h ago"],
    [ago(86_399), "23h ago"],
    [ago(86_400), "1d ago"],
    [ago(7 * 86_400 - 1), "6d ago"],
    [ago(7 * 86_400), new Date(now - 7 * 86_400_000).toLocaleString()],
  ])("%s reads %s", (createdAt, text) => expect(lastLeadText(createdAt, now)).toEqual(text));
});
