import { isOutcomeUnknown } from "../../domain/problem.ts";
import { type Http, HttpError } from "./http.ts";

export type DeletionOutcome = { kind: "deleted" } | { kind: "refused"; message: string };

/** Actions on the whole account. */
export const createAccountGateway = (http: Http) => ({
  async exportData(signal: AbortSignal): Promise<Blob> {
    const data = await http<unknown>("/account/export", { signal });
    return new Blob([JSON.stringify(data, null, 2)], { type: "application/json" });
  },
  /** Deletes the account permanently. A wrong password resolves as a refusal; an outage rejects. */
  async deleteAccount({ password }: { password: string }): Promise<DeletionOutcome> {
    try {
      await http("/account", { method: "DELETE", body: { password } });
      return { kind: "deleted" };
    } catch (error) {
      if (isOutcomeUnknown(error) || !(error instanceof HttpError)) throw error;
      return { kind: "refused", message: error.message };
    }
  },
});
