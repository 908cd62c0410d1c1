import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { readMessage } from "../../domain/field-problems.ts";
import { fieldFilters, isReadableFilter, LeadFilterText } from "../../domain/lead-filter.ts";
import { LeadsQuery } from "../../domain/lead.ts";
import { english } from "../support/english.ts";

const TAG = "7d444840-9dc0-41d1-b245-5ffdce74fad2";
const OTHER = "0b0a4f5c-6d0e-4d9e-9a41-5e1d4c7b8a90";

describe("a list's filters", () => {
  it("are parsed from an address, tags as a list and custom fields by id", () => {
    const filter = v.parse(LeadFilterText, `?q=price%20list&tag=${TAG}&tag=${OTHER}&field.${TAG}=10..20&sort=-name`);
    expect(filter).toMatchObject({ q: "price list", tag: [TAG, OTHER], sort: "-name" });
    expect(fieldFilters(filter)).toEqual([[TAG, "10..20"]]);
    expect(v.parse(LeadFilterText, `tag=${TAG}&opted_out=true`)).toMatchObject({ tag: [TAG], opted_out: true });
    expect(v.parse(LeadFilterText, "")).toEqual({});
  });

  it.each([
    "nmae=ann",
    "toString=ann",
    "q=a&q=b",
    "tag=red",
    "awaiting_reply=perhaps",
    "sort=notes",
    "sort=field.notes",
    `field.${TAG}=a&field.${TAG}=b`,
    "field.price=3",
    "created_start=yesterday",
    "created_start=2026-03-05T00:00:00Z&created_end=2026-03-04T23:59:59Z",
    `q=${"a".repeat(201)}`,
  ])("are refused when invalid: %s", (text) => expect(isReadableFilter(text)).toBe(false));

  it("name what is invalid, also in the list's own query", () => {
    const result = v.safeParse(LeadsQuery, { limit: "50", nmae: "ann" });
    expect(result.issues?.map((issue) => [v.getDotPath(issue), english(readMessage(issue.message).text)])).toEqual([
      ["nmae", "There is no such filter."],
    ]);
  });
});
