import { createActor } from "xstate";
import { createDryRun } from "../machines/dry-run/dry-run.machine.ts";
import { watchReturns } from "../services/page-returns.ts";
import { dryRunKey } from "./remembered.ts";
import { memoizeByServices, onSignOut } from "./lifetime.ts";

/** One actor per page and user, shared by the banner on every screen and the switch. */
export const dryRunOf = memoizeByServices((services) => {
  const { storage, session, clock } = services;
  const key = dryRunKey(services.userId());
  const isHere = () => session.getSnapshot().context.user?.id === services.userId();
  const logic = createDryRun(services, {
    memory: {
      read: () => storage.get(key),
      write: (since) => storage.set(key, since),
      clear: () => storage.remove(key),
    },
    now: () => new Date(clock.now()).toISOString(),
    // Another user may be signed in by then.
    onReturn: (listener) => watchReturns(() => isHere() && listener()),
  });
  const dryRun = createActor(logic).start();
  onSignOut(services, () => dryRun.stop());
  return dryRun;
});
