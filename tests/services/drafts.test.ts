import * as v from "valibot";
import { beforeEach, expect, test } from "vitest";
import { createDrafts, jsonText } from "../../src/services/drafts.ts";
import type { SafeStorage } from "../../src/services/storage.ts";

const blank = { stage: "", delay: "2", isOn: false };
let stored: Map<string, string>;
let storage: SafeStorage;
beforeEach(() => {
  stored = new Map();
  storage = {
    get: (key) => stored.get(key) ?? null,
    set: (key, value) => void stored.set(key, value),
    remove: (key) => void stored.delete(key),
    removeAll: () => stored.clear(),
  };
});
const fields = { stage: v.string(), delay: v.string(), isOn: v.boolean() };
function draftsOf(user: string) {
  const drafts = createDrafts(storage, () => user);
  return { reminder: drafts.of("reminder", fields), settings: drafts.of("settings", fields) };
}

test("restores each form's draft by name after a reload", () => {
  draftsOf("ada").reminder.write({ ...blank, stage: "Interested" }, blank);
  draftsOf("ada").settings.write({ ...blank, isOn: true }, blank);
  const reloaded = draftsOf("ada");
  expect(reloaded.reminder.read()).toEqual({ stage: "Interested" });
  expect(reloaded.settings.read()).toEqual({ isOn: true });
});

test("removes a draft that is blank or saved, and the entry with the last one", () => {
  const { reminder, settings } = draftsOf("ada");
  reminder.write({ ...blank, stage: "Interested" }, blank);
  settings.write({ ...blank, isOn: true }, blank);
  reminder.forget();
  expect([reminder.read(), settings.read()]).toEqual([null, { isOn: true }]);
  settings.write(blank, blank);
  expect([settings.read(), stored.size]).toEqual([null, 0]);
});

test("keeps the drafts of two users apart", () => {
  draftsOf("ada").reminder.write({ ...blank, stage: "Secret" }, blank);
  expect(draftsOf("bob").reminder.read()).toEqual(null);
  draftsOf("bob").reminder.write({ ...blank, stage: "Bob's" }, blank);
  expect([...stored.values()].join("")).not.toContain("Secret");
  draftsOf("ada").reminder.forget();
  expect(draftsOf("bob").reminder.read()).toEqual({ stage: "Bob's" });
});

test.each([
  "",
  "[]",
  "nonsense",
  '{"user":"ada","forms":{"reminder":7}}',
  '{"user":"ada","forms":{"reminder":{"stage":7}}}',
])("ignores a stored %j", (text) => {
  stored.set("leadloom_drafts", text);
  expect(draftsOf("ada").reminder.read()).toEqual(null);
});

test("drops only the field that no longer matches its schema", () => {
  const forms = { reminder: { stage: "Interested", delay: "no json", isOn: "yes" } };
  stored.set("leadloom_drafts", JSON.stringify({ user: "ada", forms }));
  const drafts = createDrafts(storage, () => "ada");
  const { stage, isOn } = fields;
  expect(drafts.of("reminder", { stage, isOn, delay: jsonText(v.number()) }).read()).toEqual({ stage: "Interested" });
});
