import type { EventType } from "../../domain/events.ts";
import { type CatalogGateway, createCatalog } from "../machines/catalog/index.ts";
import { createFieldsGateway, createTagsGateway, createViewsGateway } from "../services/catalog.ts";
import { onceAPage } from "./once-a-page.ts";
import { createSignal } from "./signal.ts";
import type { Services } from "./services.ts";

export const NOUNS = {
  tags: { one: "tag", many: "tags" },
  fields: { one: "field", many: "fields" },
  views: { one: "view", many: "views" },
} as const;

/** One for the page: what one screen changes, each that shows the same hears of. */
export const catalogsOf = onceAPage((services: Services) => {
  const { http, events, notifier, logger } = services;
  const make = (noun: { one: string; many: string }, type: EventType, gateway: CatalogGateway) => {
    const restored = createSignal();
    const catalog = { ...gateway, restore: (input: { id: string }) => gateway.restore(input).finally(restored.tell) };
    const onChanged = (listener: () => void) => {
      const leave = [events.subscribe(type, listener), restored.listen(listener)];
      return () => leave.forEach((end) => end());
    };
    return { logic: createCatalog({ catalog, noun, onChanged, notifier, logger }), options: { input: { noun } } };
  };
  return {
    tags: make(NOUNS.tags, "tags.changed", createTagsGateway(http)),
    fields: make(NOUNS.fields, "fields.changed", createFieldsGateway(http)),
    views: make(NOUNS.views, "views.changed", createViewsGateway(http)),
  };
});
