import { createMachineContext } from "../kit/context.tsx";
import type { KeyForm } from "./api-key.actors.ts";
import { apiKeyMachine } from "./api-key.machine.ts";

const Keys = createMachineContext(apiKeyMachine, (chart) => ({
  retry: () => chart.send({ type: "reading.retry" }),
  add: (form: KeyForm) => chart.send({ type: "key.add", form }),
  revoke: (id: string) => chart.send({ type: "key.revoke", id }),
  change: (change: Partial<KeyForm>) => chart.send({ type: "form.change", change }),
  cancel: () => chart.send({ type: "form.cancel" }),
  create: () => chart.send({ type: "form.submit" }),
  copy: (what: string) => chart.send({ type: "secret.copy", what }),
  dismiss: () => chart.send({ type: "secret.dismiss" }),
}));

export const ApiKeyProvider = Keys.Provider;
export const useApiKey = Keys.use;
export const useCanApiKey = Keys.useCan;
/** What a person can do with the keys of programs. */
export const useApiKeyEvents = Keys.useVerbs;
