import * as v from "valibot";
import { expect, test } from "vitest";
import { createDrafts, jsonText } from "../../src/services/drafts.ts";
import { createStorage } from "../../src/services/storage.ts";

const blank = { stage: "", delay: "2", isOn: false };
const storage = createStorage(() => sessionStorage);
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
  expect([settings.read(), sessionStorage.length]).toEqual([null, 0]);
});

test("keeps the drafts of two users apart", () => {
  draftsOf("ada").reminder.write({ ...blank, stage: "Secret" }, blank);
  expect(draftsOf("bob").reminder.read()).toEqual(null);
  draftsOf("bob").reminder.write({ ...blank, stage: "Bob's" }, blank);
  expect(Object.values(sessionStorage).join("")).not.toContain("Secret");
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
  storage.set("leadloom_drafts", text);
  expect(draftsOf("ada").reminder.read()).toEqual(null);
});

test("drops only the field that no longer matches its schema", () => {
  const forms = { reminder: { stage: "Interested", delay: "no json", isOn: "yes" } };
  storage.set("leadloom_drafts", JSON.stringify({ user: "ada", forms }));
  const drafts = createDrafts(storage, () => "ada");
  const { stage, isOn } = fields;
  expect(drafts.of("reminder", { stage, isOn, delay: jsonText(v.number()) }).read()).toEqual({ stage: "Interested" });
});
