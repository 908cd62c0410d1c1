import type { EventType } from "../../domain/events.ts";
import { type CatalogService, createCatalog } from "../machines/catalog/catalog.machine.ts";
import { unsubscribeAll } from "../services/unsubscribe-all.ts";
import { createFieldsGateway, createTagsGateway, createViewsGateway } from "../services/catalog.ts";
import { memoizeByServices } from "./lifetime.ts";
import { createSignal } from "./signal.ts";
import type { Services } from "./services.ts";

/** One actor per page, so that a change on one screen reaches every screen that shows the same list. */
export const catalogsOf = memoizeByServices((services: Services) => {
  const { http, events } = services;
  const make = (noun: { one: string; many: string }, type: EventType, service: CatalogService) => {
    const restored = createSignal();
    const catalog = {
      ...service,
      restore: (input: { id: string }) => service.restore(input).finally(restored.tell),
    };
    const onChanged = (listener: () => void) =>
      unsubscribeAll([events.subscribe(type, listener), restored.listen(listener)]);
    return { logic: createCatalog(services, { catalog, noun, onChanged }), options: { input: { noun } } };
  };
  return {
    tags: make({ one: "tag", many: "tags" }, "tags.changed", createTagsGateway(http)),
    fields: make({ one: "field", many: "fields" }, "fields.changed", createFieldsGateway(http)),
    views: make({ one: "view", many: "views" }, "views.changed", createViewsGateway(http)),
  };
});
