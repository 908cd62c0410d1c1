import { createMachineContext } from "../kit/context.tsx";
import type { CatalogForm } from "./catalog.actors.ts";
import { catalogMachine } from "./catalog.machine.ts";

/** The catalog that a screen edits. */
const createCatalogContext = () =>
  createMachineContext(catalogMachine, (chart) => ({
    retry: () => chart.send({ type: "reading.retry" }),
    add: (form: CatalogForm) => chart.send({ type: "item.add", form }),
    edit: (id: string, form: CatalogForm) => chart.send({ type: "item.edit", id, form }),
    remove: (id: string) => chart.send({ type: "item.delete", id }),
    change: (change: Partial<CatalogForm>) => chart.send({ type: "form.change", change }),
    cancel: () => chart.send({ type: "form.cancel" }),
    save: () => chart.send({ type: "form.submit" }),
    chooseTarget: (moveTo: string | null) => chart.send({ type: "target.choose", moveTo }),
    cancelTarget: () => chart.send({ type: "target.cancel" }),
  }));

const Catalog = createCatalogContext();
export const CatalogProvider = Catalog.Provider;
export const useCatalog = Catalog.use;
export const useCanCatalog = Catalog.useCan;
/** What a person can do with what they make for their leads. */
export const useCatalogEvents = Catalog.useVerbs;

/** What a screen of leads knows of both at once. */
export const Tags = createCatalogContext();
export const Fields = createCatalogContext();
