import { describe, expect, it } from "vitest";
import { fillReminder, linksTo, withoutLinks, writeDigest, type StuckLead } from "../../domain/reminder-text.ts";
import { LOCALE_TAGS } from "../../domain/locales.ts";
import { plannerRunAt } from "../../domain/reminder-expiry.ts";
import { fillTemplate, plainBraces, REMINDER_DEFAULT_TEMPLATE, unknownPlaceholders } from "../../domain/reminder.ts";
import { openLanguages } from "../../server/core/languages.ts";

const languages = openLanguages();
const english = languages.writerFor(null);
const ann: StuckLead = { name: "Ann Lee", username: "ann", telegram_user_id: "42", days: 3 };

describe("a reminder's text", () => {
  it("names the lead and the stage by default", () => {
    expect(fillReminder(english(REMINDER_DEFAULT_TEMPLATE), "Interested", ann, english)).toBe(
      "⏰ Lead Ann Lee is stuck in stage Interested.",
    );
  });

  it("fills every placeholder once, and leaves a name that looks like one as it is", () => {
    const values = { name: "{stage}", username: "@a", stage: "Hot", days: "2", link: "https://t.me/a" };
    expect(fillTemplate("{name} {username} {stage} {days} {link} {name}", values)).toBe(
      "{stage} @a Hot 2 https://t.me/a {stage}",
    );
  });

  it("links to leads without a username by id", () => {
    const unnamed = { name: " ", username: null, telegram_user_id: "42", days: 1 };
    expect(fillReminder("{name}|{username}|{days}|{link}", "Hot", unnamed, english)).toBe("Unnamed||1|tg://user?id=42");
  });

  it("is cut to Telegram's limit, between characters", () => {
    const text = fillReminder("{name}", "Hot", { ...ann, name: `${"x".repeat(4094)}😀😀` }, english);
    expect(text).toBe(`${"x".repeat(4094)}…`);
  });

  it("may not hold unknown placeholders", () => {
    expect(unknownPlaceholders("{name} {phone} {days}")).toEqual(["phone"]);
    expect(plainBraces("{name} {phone} {name|you} { days } {name|you}")).toEqual(["{name|you}", "{ days }"]);
  });
});

describe("a digest", () => {
  it("names twenty leads and counts the rest", () => {
    const leads = Array.from({ length: 23 }, (_, index) => ({ ...ann, name: `Lead ${index}`, days: 23 - index }));
    const lines = writeDigest("Hot", leads, english).split("\n");
    expect(lines).toHaveLength(22);
    expect(lines[0]).toBe("⏰ Leads stuck in stage Hot: 23");
    expect(lines[1]).toBe("• Lead 0 (23 days) https://t.me/ann");
    expect(lines.at(-1)).toBe("… and 3 more");
  });

  it.each(LOCALE_TAGS)("in %s leaves out a person, and counts one less", (locale) => {
    const bea = { ...ann, name: "Bea", username: "bea", days: 1 };
    const write = languages.writerFor(locale);
    const digest = writeDigest("Step 2", [bea, ann], write);
    const expected = writeDigest("Step 2", [ann], write);
    expect(withoutLinks(digest, new Set(linksTo(bea)))).toBe(expected);
    expect(expected.split("\n")).toEqual([expect.stringMatching(/Step 2.*: 1$/), expect.stringContaining("Ann Lee")]);
  });

  it("written by an earlier version counts one less as well", () => {
    const digest =
      "⏰ 7 leads are stuck in stage Step 2:\n• Bea (1 day) https://t.me/bea\n• Ann (3 days) https://t.me/ann";
    const expected = "⏰ Leads stuck in stage Step 2: 6\n• Ann (3 days) https://t.me/ann";
    expect(withoutLinks(digest, new Set(["https://t.me/bea"]))).toBe(expected);
  });
});

it.each([
  ["12:00:00", "12:00:00"],
  ["12:00:00.001", "12:01:00"],
  ["12:00:59.999", "12:01:00"],
])("what is due at %s is planned at %s", (due, planned) => {
  const at = (time: string) => Date.parse(`2030-03-04T${time}Z`);
  expect(plannerRunAt(at(due))).toBe(at(planned));
});
