import type { EventType } from "../../domain/events.ts";
import { type CatalogKind, type CatalogService, createCatalog } from "../machines/catalog/catalog.machine.ts";
import { unsubscribeAll } from "../services/unsubscribe-all.ts";
import { createFieldsGateway, createTagsGateway, createViewsGateway } from "../services/catalog.ts";
import { memoizeByServices } from "./lifetime.ts";
import { createSignal } from "../services/signal.ts";
import type { Services } from "./services.ts";

/** One actor per page, so that a change on one screen reaches every screen that shows the same list. */
export const catalogsOf = memoizeByServices((services: Services) => {
  const { http, events } = services;
  const make = (kind: CatalogKind, type: EventType, service: CatalogService) => {
    const restored = createSignal();
    const catalog = {
      ...service,
      restore: (input: { id: string }) => service.restore(input).finally(restored.notify),
    };
    const onChanged = (listener: () => void) =>
      unsubscribeAll([events.subscribe(type, listener), restored.listen(listener)]);
    return createCatalog(services, { catalog, kind, onChanged });
  };
  return {
    tags: make("tag", "tags.changed", createTagsGateway(http)),
    fields: make("field", "fields.changed", createFieldsGateway(http)),
    views: make("view", "views.changed", createViewsGateway(http)),
  };
});
