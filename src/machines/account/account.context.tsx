import { createActorContext } from "@xstate/react";
import { useMemo } from "react";
import { accountMachine } from "./account.machine.ts";

const Account = createActorContext(accountMachine);

export const AccountProvider = Account.Provider;
export const useAccount = Account.useSelector;

/** What a person can do with the account as a whole. */
export function useAccountEvents() {
  const account = Account.useActorRef();
  return useMemo(
    () => ({
      requestExport: () => account.send({ type: "export.request" }),
      openDeletion: () => account.send({ type: "deletion.open" }),
      cancelDeletion: () => account.send({ type: "deletion.cancel" }),
      confirmDeletion: (confirmation: { email: string; password: string }) =>
        account.send({ type: "deletion.confirm", ...confirmation }),
    }),
    [account],
  );
}
