import { beforeEach, expect, test } from "vitest";
import { createDrafts } from "../../src/services/drafts.ts";
import type { SafeStorage } from "../../src/services/storage.ts";

const blank = { stage: "", delay: "2", isOn: false };
let kept: Map<string, string>;
let storage: SafeStorage;
beforeEach(() => {
  kept = new Map();
  storage = {
    get: (key) => kept.get(key) ?? null,
    set: (key, value) => void kept.set(key, value),
    remove: (key) => void kept.delete(key),
    removeAll: () => kept.clear(),
  };
});
const draftsOf = (user: string) => createDrafts(storage, () => user);

test("what was typed is there again after a reload, each form under its name", () => {
  draftsOf("ada").write("reminder", { ...blank, stage: "Interested" }, blank);
  draftsOf("ada").write("settings", { ...blank, isOn: true }, blank);
  const reloaded = draftsOf("ada");
  expect(reloaded.read("reminder", blank)).toEqual({ stage: "Interested" });
  expect(reloaded.read("settings", blank)).toEqual({ isOn: true });
});

test("a form that is blank again is forgotten, and nothing stays when all are", () => {
  const drafts = draftsOf("ada");
  drafts.write("reminder", { ...blank, stage: "Interested" }, blank);
  drafts.write("reminder", blank, blank);
  expect(drafts.read("reminder", blank)).toEqual(null);
  expect(kept.size).toEqual(0);
});

test("a form that has become what it was for is forgotten, and the others stay", () => {
  const drafts = draftsOf("ada");
  drafts.write("reminder", { ...blank, stage: "Interested" }, blank);
  drafts.write("settings", { ...blank, isOn: true }, blank);
  drafts.forget("reminder");
  expect([drafts.read("reminder", blank), drafts.read("settings", blank)]).toEqual([null, { isOn: true }]);
});

test("another user never sees it, nor does what one has done take away what the other typed", () => {
  draftsOf("ada").write("reminder", { ...blank, stage: "Secret" }, blank);
  expect(draftsOf("bob").read("reminder", blank)).toEqual(null);
  draftsOf("bob").write("reminder", { ...blank, stage: "Bob's" }, blank);
  expect([...kept.values()].join("")).not.toContain("Secret");
  draftsOf("ada").forget("reminder");
  expect(draftsOf("bob").read("reminder", blank)).toEqual({ stage: "Bob's" });
});

test.each([
  "",
  "[]",
  "nonsense",
  '{"user":"ada","forms":{"reminder":7}}',
  '{"user":"ada","forms":{"reminder":{"stage":7}}}',
])("a stored %j is no draft", (text) => {
  kept.set("leadloom_drafts", text);
  expect(draftsOf("ada").read("reminder", blank)).toEqual(null);
});
