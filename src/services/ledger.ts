import { parse } from "valibot";
import { LedgerPage } from "../../domain/ledger.ts";
import type { Http } from "./http.ts";

type LedgerRequest = {
  leadId: string;
  kind: string;
  state: string;
  /** Moments, both inclusive; null for no end. */
  from: string | null;
  to: string | null;
  before: string | null;
  limit: number;
};

/** `/ledger`: what was planned to be sent and what became of it. */
export const createLedgerGateway = (http: Http) => ({
  /** A page, newest first, of what matches; a filter that is empty is not asked for. */
  listSends: async ({ leadId, ...rest }: LedgerRequest, signal: AbortSignal): Promise<LedgerPage> => {
    const asked = Object.entries({ lead_id: leadId, ...rest }).filter(([, value]) => value !== "" && value !== null);
    return parse(LedgerPage, await http("/ledger", { query: Object.fromEntries(asked), signal }));
  },
});
