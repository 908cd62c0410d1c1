import * as v from "valibot";
import { Forecast, ForecastQuery } from "../../domain/forecast.ts";
import { Id } from "../../domain/schema-parts.ts";
import { Preflight, PreflightOfLeads, PreflightQuery } from "../../domain/preflight.ts";
import { createConcurrencyLimiter } from "../core/concurrency.ts";
import type { Deps } from "../core/deps.ts";
import { refuseInput } from "../core/problem.ts";
import type { Route } from "../core/routes.ts";
import { readForecast } from "./forecast.ts";
import { readPreflight, type PreflightRequest } from "./preflight.ts";

/** In place of a malformed stage id: it has no leads. */
const NO_STAGE = "00000000-0000-0000-0000-000000000000";

/** Each preflight reads all targets and waits for Telegram. */
const PREFLIGHTS = { busyWith: "preflights", atOnce: 4, mostWaiting: 40, waitMs: 15_000 } as const;

/** A forecast reads the whole queue, so an owner's requests run one by one. Owners do not wait for each other. */
const FORECASTS = {
  busyWith: "forecasts",
  atOnce: Infinity,
  mostWaiting: 400,
  waitMs: 15_000,
} as const;

/** `GET /api/forecast` and `/api/bulk/preflight`: what will be sent, and when. */
export function registerForecast(route: Route, deps: Deps): void {
  const preflights = createConcurrencyLimiter(deps.clock, PREFLIGHTS);
  const forecasts = createConcurrencyLimiter(deps.clock, FORECASTS);
  const runPreflight = (ownerId: string, request: PreflightRequest): Promise<Preflight> =>
    preflights.run(ownerId, () => readPreflight(deps, ownerId, request));
  route({
    tag: "Follow-ups",
    gate: "subscribed",
    method: "GET",
    url: "/api/forecast",
    scope: "read",
    id: "readForecast",
    summary: "Forecast what will be sent in the next hours if no lead writes",
    query: ForecastQuery,
    answer: Forecast,
    waitsElsewhere: () => true,
    handler: ({ caller, query }) => forecasts.run(caller.id, () => readForecast(deps, caller.id, query.hours)),
  });
  route({
    tag: "Bulk",
    gate: "subscribed",
    method: "GET",
    url: "/api/bulk/preflight",
    scope: "read",
    id: "preflightBulk",
    summary: "Check a bulk message before sending: who is reachable, who is skipped and why, when it starts and ends",
    query: PreflightQuery,
    answer: Preflight,
    waitsElsewhere: () => true,
    handler: async ({ caller, query }) => {
      const { stage_id: given, throttle } = query;
      const stageId = given === "" ? null : v.is(Id, given) ? given : NO_STAGE;
      if (query.query !== undefined && given !== "")
        throw refuseInput("query", "stage_or_query", null, "Cannot be combined with stage_id.");
      return runPreflight(caller.id, { stageId, filter: query.query ?? null, throttleSeconds: throttle });
    },
  });
  route({
    tag: "Bulk",
    gate: "subscribed",
    method: "POST",
    url: "/api/bulk/preflight",
    scope: "read",
    id: "preflightBulkOfLeads",
    summary: "Check a bulk message to exactly these leads before sending",
    description: "Like the GET, for leads listed by id, which do not fit in an address. It changes nothing.",
    body: PreflightOfLeads,
    answer: Preflight,
    handler: ({ caller, body }) =>
      runPreflight(caller.id, { stageId: null, leadIds: body.lead_ids, throttleSeconds: body.throttle }),
  });
}
