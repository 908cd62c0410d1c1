import type { EventType } from "../../domain/events.ts";
import { type CatalogGateway, createCatalog } from "../machines/catalog/index.ts";
import { createFieldsGateway, createTagsGateway, createViewsGateway } from "../services/catalog.ts";
import { onceAPage } from "./once-a-page.ts";
import { forgettingDraft } from "./use-draft.ts";
import { createSignal } from "./signal.ts";
import type { Services } from "./services.ts";

/** Under which name what is typed of a catalog's thing is kept. */
export const catalogDraft = (noun: string): string => `a ${noun}`;

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
    const name = catalogDraft(noun.one);
    const catalog = {
      ...gateway,
      add: forgettingDraft(services, name, gateway.add),
      change: forgettingDraft(services, name, gateway.change),
      restore: (input: { id: string }) => gateway.restore(input).finally(restored.tell),
    };
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
