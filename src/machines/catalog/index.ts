import { failureMessage } from "../kit/failed.ts";
import { createReporter } from "../kit/reporting.ts";
import { type CatalogDeps, createCatalogActors } from "./catalog.actors.ts";
import { catalogMachine } from "./catalog.machine.ts";

/** Tags, own fields or saved views over a gateway. */
export const createCatalog = (deps: CatalogDeps) =>
  catalogMachine.provide({
    actors: createCatalogActors(deps),
    actions: {
      offerUndo: (_, { id, name }) =>
        deps.notifier.toast(`The ${deps.noun.one} '${name}' was deleted.`, {
          undo: { label: "Undo", onPress: () => void restore(deps, id) },
          durationMs: 30_000,
        }),
      reportFailure: createReporter(deps.logger),
    },
  });

/** Belongs to the page: the offer outlives the screen. Every catalog that is shown hears of it by its news. */
async function restore({ catalog, noun, notifier, logger }: CatalogDeps, id: string): Promise<void> {
  try {
    await catalog.restore({ id });
    notifier.toast(`The ${noun.one} is back.`);
  } catch (error) {
    logger.warn("what was made for leads was not brought back", error);
    notifier.warn(
      failureMessage(error, {
        refused: `The ${noun.one} could not be brought back.`,
        unknown: `The ${noun.one} may be back: look at the list.`,
      }),
    );
  }
}

export type { CatalogDeps, CatalogForm, CatalogGateway, CatalogItem } from "./catalog.actors.ts";
export { CatalogProvider, Fields, Tags, useCanCatalog, useCatalog, useCatalogEvents } from "./catalog.context.tsx";
export { catalogMachine } from "./catalog.machine.ts";
export * from "./catalog.selectors.ts";
