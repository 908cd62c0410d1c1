import { createReporter } from "../kit/reporting.ts";
import { type AccountDeps, createAccountActors } from "./account.actors.ts";
import { accountMachine } from "./account.machine.ts";

export type { AccountDeps } from "./account.actors.ts";
export { AccountProvider, useAccount, useAccountEvents, useCanAccount } from "./account.context.tsx";
export { accountMachine } from "./account.machine.ts";
export * from "./account.selectors.ts";

/** The account chart with its outside parts in place. */
export const createAccount = (deps: AccountDeps) =>
  accountMachine.provide({
    actors: createAccountActors(deps),
    actions: {
      saveFile: (_args, { file }) => deps.saveFile(file, "leadloom-export.json"),
      endSession: () => deps.endSession(),
      checkSession: () => deps.checkSession(),
      reportFailure: createReporter(deps.logger),
    },
  });
