import { LedgerPage, LedgerQuery } from "../../domain/ledger.ts";
import type { Deps } from "../core/deps.ts";
import { refuseInput } from "../core/problem.ts";
import type { Route } from "../core/routes.ts";
import { readLedger } from "./page.ts";

export function registerLedger(route: Route, deps: Pick<Deps, "db" | "clock">): void {
  route({
    method: "GET",
    url: "/api/ledger",
    scope: "read",
    id: "readLedger",
    summary: "List planned messages and their outcomes, newest first",
    tag: "Ledger",
    gate: "subscribed",
    query: LedgerQuery,
    answer: LedgerPage,
    handler: ({ caller, query }) => {
      if (query.from !== undefined && query.to !== undefined && Date.parse(query.to) < Date.parse(query.from)) {
        throw refuseInput("to", "end_before_start", null, "Must not be before the start.");
      }
      return readLedger(deps, caller.id, query);
    },
  });
}
