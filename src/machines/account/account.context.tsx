import { createMachineContext } from "../kit/context.tsx";
import { accountMachine } from "./account.machine.ts";

const Account = createMachineContext(accountMachine, (account) => ({
  requestExport: () => account.send({ type: "export.request" }),
  openDeletion: () => account.send({ type: "deletion.open" }),
  cancelDeletion: () => account.send({ type: "deletion.cancel" }),
  confirmDeletion: (confirmation: { email: string; password: string }) =>
    account.send({ type: "deletion.confirm", ...confirmation }),
}));

export const AccountProvider = Account.Provider;
export const useAccount = Account.use;
/** What a person can do with the account as a whole. */
export const useAccountEvents = Account.useVerbs;
export const useCanAccount = Account.useCan;
