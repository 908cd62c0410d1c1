import { expect, it } from "vitest";
import { bulkTargetKey, bulkTargetOf } from "../../domain/bulk-target.ts";

it.each([
  ["?leads=abc", { kind: "leads", name: "abc" }],
  ["?leads=abc&to=q%3Dprice", { kind: "leads", name: "abc" }],
  ["?leads=&to=q%3Dprice%26tag%3Da", { kind: "query", query: "q=price&tag=a" }],
  ["?to=", { kind: "stage", stageId: "" }],
  ["?leads=", null],
  ["", null],
])("parses the target from the address %s", (search, target) => expect(bulkTargetOf(search)).toEqual(target));

it("distinguishes targets of different kinds with the same text", () => {
  const keys = [
    bulkTargetKey({ kind: "stage", stageId: "a" }),
    bulkTargetKey({ kind: "query", query: "a" }),
    bulkTargetKey({ kind: "leads", name: "a" }),
  ];
  expect(new Set(keys).size).toEqual(3);
});
