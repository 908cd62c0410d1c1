import { type CatalogKind, createCatalog } from "../../src/machines/catalog/catalog.machine.ts";
import { createFieldsGateway } from "../../src/services/catalog.ts";
import type { Field } from "../../domain/field.ts";
import { done, failedWrites, modelOf } from "../support/model.ts";
import { fakePage } from "../support/page.ts";

const page = fakePage();
export const catalogOf = (kind: CatalogKind) =>
  createCatalog(page, { catalog: createFieldsGateway(page.http), kind, onChanged: () => () => {} });

export const city: Field = {
  id: "1",
  name: "City",
  type: "choice",
  options: ["Oslo", "Bergen"],
  is_value: false,
  leads: 3,
};
export const budget: Field = { id: "2", name: "Budget", type: "number", options: null, is_value: true, leads: 0 };
const form = { name: "City", options: ["Oslo", "Bergen"] };

export const catalogModel = modelOf(catalogOf("field"), {
  events: [
    { type: "item.add", form: { name: "", type: "text" } },
    { type: "item.edit", id: "1", form },
    { type: "item.delete", id: "1" },
    { type: "item.delete", id: "2" },
    { type: "form.change", change: { name: "Town" } },
    { type: "form.submit" },
    { type: "target.choose", moveTo: "Oslo" },
    { type: "target.choose", moveTo: null },
    ...done("listItems", [city, budget]),
    ...done("saveItem", { asks: null }, { asks: { leads: 3, options: ["North"] } }),
    ...done("askConfirmation", true, false),
    ...failedWrites("saveItem", "removeItem"),
  ],
  // Refreshes of the list are walked only while no work is pending.
  allow: ({ value, context }, event) => {
    const { list, work } = value as { list: string | { shown: string }; work: string };
    // A new item has no values yet that a deletion could ask about.
    if (JSON.stringify(event["output"])?.includes('"asks":{') && context.active === null) return false;
    const isReading = /^reading\.|actor\.listItems$/.test(event.type);
    const isCurrent = typeof list === "object" && list.shown === "current" && context.items.length === 2;
    return isReading ? work === "resting" && context.problem === null : isCurrent || work !== "resting";
  },
});
