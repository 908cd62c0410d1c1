import type { Field } from "../../domain/field.ts";
import {
  type EditableLead,
  createLeadTagsAndFields,
} from "../../src/machines/lead-tags-and-fields/lead-tags-and-fields.machine.ts";
import { done, failed, failedWrites } from "../support/model-events.ts";
import { fakePage } from "../support/page.ts";
import { type WalkedModel, overPending } from "../support/walk-model.ts";

export const vip = { id: "t1", name: "VIP", color: "#ff0000" };
export const budget: Field = { id: "f1", name: "Budget", type: "number", options: null, is_value: true, leads: 0 };
export const home: Field = { id: "f2", name: "Home", type: "link", options: null, is_value: false, leads: 0 };
export const ada: EditableLead = { id: "lead-1", name: "Ada", tags: [], fields: {} };

const unused = () => Promise.reject(new Error("the walk answers this call"));

export const leadTagsAndFieldsMachine = createLeadTagsAndFields(fakePage(), {
  gateway: { setTags: unused, setFields: unused, exclude: unused, restore: unused },
  onChanged: () => {},
  excluded: { add: () => {}, remove: () => {} },
});

export const leadTagsAndFieldsModel: WalkedModel = {
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
    ...failed("askConfirmation", new Error("no dialog")),
    ...done("excludeLead", { telegramUserId: "5001" }),
    ...failedWrites("excludeLead"),
  ],
  project: ({ value, context: { lead, typed, problems } }) => [
    value,
    lead,
    typed,
    Object.values(problems).map((problem) => problem !== null),
  ],
  // Each region is walked while the others are idle. `lead.read` is walked only while nothing is typed.
  allow(snapshot, { type }) {
    const { typed, lead, problems } = snapshot.context;
    const isUntouched = Object.keys(typed).length === 0 && Object.values(problems).every((problem) => problem === null);
    if (type === "lead.read") return isUntouched;
    const region = /tag/i.test(type) ? "tags" : /field/i.test(type) ? "fields" : "exclusion";
    const isAlone = (["tags", "fields", "exclusion"] as const).every(
      (other) => other === region || snapshot.matches({ [other]: "resting" }),
    );
    if (type === "tags.set") return isAlone && lead.tags.length === 0 && isUntouched;
    if (type === "lead.exclude") return isAlone && isUntouched;
    return isAlone;
  },
  provide: overPending(leadTagsAndFieldsMachine),
};
