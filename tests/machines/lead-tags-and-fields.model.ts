import type { Field } from "../../domain/field.ts";
import {
  type EditableLead,
  createLeadTagsAndFields,
} from "../../src/machines/lead-tags-and-fields/lead-tags-and-fields.machine.ts";
import { done, failedWrites, modelOf, notCalled, whileAtRest } from "../support/model.ts";
import { fakePage } from "../support/page.ts";

export const vip = { id: "t1", name: "VIP", color: "#ff0000" };
export const budget: Field = { id: "f1", name: "Budget", type: "number", options: null, is_value: true, leads: 0 };
export const home: Field = { id: "f2", name: "Home", type: "link", options: null, is_value: false, leads: 0 };
export const ada: EditableLead = { id: "lead-1", name: "Ada", tags: [], fields: {} };

const isAlone = whileAtRest({ tags: "resting", fields: "resting", exclusion: "resting" }, (type) => {
  if (/tag/i.test(type)) return ["tags"];
  return /field/i.test(type) ? ["fields"] : ["exclusion"];
});

const leadTagsAndFieldsMachine = createLeadTagsAndFields(fakePage(), {
  gateway: { setTags: notCalled, setFields: notCalled, exclude: notCalled, restore: notCalled },
  onChanged: () => {},
  excluded: { add: () => {}, remove: () => {} },
});

export const leadTagsAndFieldsModel = modelOf(leadTagsAndFieldsMachine, {
  input: { lead: ada },
  events: [
    { type: "lead.read", lead: { ...ada, name: "Ada Lovelace" } },
    { type: "tags.set", tagIds: ["t1"] },
    { type: "field.change", field: home, text: "https://example.org" },
    { type: "field.change", field: home, text: "example" },
    { type: "fields.listed", ids: ["f1"] },
    ...done("saveTags", [vip]),
    ...failedWrites("saveTags"),
    ...done("saveFields", { f2: "https://example.org" }),
    ...failedWrites("saveFields"),
    ...done("askConfirmation", true, false),
    ...done("excludeLead", { telegramUserId: "5001" }),
    ...failedWrites("excludeLead"),
  ],
  project: ({ value, context: { lead, typed, problems } }) => [
    value,
    lead,
    typed,
    Object.values(problems).map((problem) => problem !== null),
  ],
  // `lead.read` is walked only while nothing is typed.
  allow(snapshot, event) {
    const { type } = event;
    const { typed, lead, problems } = snapshot.context;
    const isUntouched = Object.keys(typed).length === 0 && Object.values(problems).every((problem) => problem === null);
    if (type === "lead.read") return isUntouched;
    if (type === "tags.set" && !(lead.tags.length === 0 && isUntouched)) return false;
    return isAlone(snapshot, event) && (type !== "lead.exclude" || isUntouched);
  },
});
