import { createActor } from "xstate";
import { createDryRun } from "../machines/dry-run/index.ts";
import { createChoicesGateway } from "../services/choices.ts";
import { watchReturns } from "../services/page-returns.ts";
import { dryRunKey } from "./dry-run-key.ts";
import { onceAPage } from "./once-a-page.ts";

/** One for the page: the banner over every screen and the switch on one of them are of the same chart. */
export const dryRunOf = onceAPage((services) => {
  const { http, storage, session, notifier, logger, clock } = services;
  const choices = createChoicesGateway(http);
  const key = dryRunKey(services.userId());
  const isHere = () => session.getSnapshot().context.user?.id === services.userId();
  const logic = createDryRun({
    dryRun: { read: choices.readDryRun, save: choices.saveDryRun, listHeldBack: choices.listHeldBack },
    memory: {
      read: () => storage.get(key),
      write: (since) => storage.set(key, since),
      clear: () => storage.remove(key),
    },
    now: () => new Date(clock.now()).toISOString(),
    // Somebody else may be signed in by then.
    onReturn: (listener) => watchReturns(() => isHere() && listener()),
    notifier,
    logger,
  });
  return createActor(logic).start();
});
