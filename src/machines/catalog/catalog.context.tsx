import { createMachineContext } from "../kit/context.tsx";
import type { CatalogForm } from "./catalog.actors.ts";
import { catalogMachine } from "./catalog.machine.ts";

/** A provider of its own for each kind: a screen may hold several. */
const createCatalogContext = () =>
  createMachineContext(catalogMachine, (chart) => ({
    retry: () => chart.send({ type: "reading.retry" }),
    add: (form: CatalogForm) => chart.send({ type: "item.add", form }),
    edit: (id: string, form: CatalogForm) => chart.send({ type: "item.edit", id, form }),
    remove: (id: string) => chart.send({ type: "item.delete", id }),
    change: (change: Partial<CatalogForm>) => chart.send({ type: "form.change", change }),
    cancel: () => chart.send({ type: "form.cancel" }),
    save: () => chart.send({ type: "form.submit", key: crypto.randomUUID() }),
    chooseTarget: (moveTo: string | null) => chart.send({ type: "target.choose", moveTo }),
    cancelTarget: () => chart.send({ type: "target.cancel" }),
  }));

export type CatalogContext = ReturnType<typeof createCatalogContext>;
export const Tags = createCatalogContext();
export const Fields = createCatalogContext();
export const Views = createCatalogContext();
