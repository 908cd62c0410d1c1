import { parse } from "valibot";
import { LedgerPage } from "../../domain/ledger.ts";
import type { Http } from "./http.ts";

type LedgerRequest = {
  leadId: string;
  kind: string;
  state: string;
  /** ISO times, both inclusive; null for no limit. */
  from: string | null;
  to: string | null;
  before: string | null;
  limit: number;
};

/** `/ledger`: what was planned to be sent and its outcome. */
export const createLedgerGateway = (http: Http) => ({
  /** A page of matches, newest first. */
  listSends: async ({ leadId: lead_id, ...rest }: LedgerRequest, signal: AbortSignal): Promise<LedgerPage> =>
    parse(LedgerPage, await http("/ledger", { query: { lead_id, ...rest }, signal })),
});
