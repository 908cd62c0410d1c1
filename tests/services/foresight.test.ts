import { afterEach, describe, expect, it, vi } from "vitest";
import { createForecastGateway } from "../../src/services/forecast.ts";
import { createHttp } from "../../src/services/http.ts";
import { createLedgerGateway } from "../../src/services/ledger.ts";
import { forecastOf } from "../machines/forecast.model.ts";
import { conversationOf } from "../machines/inbox.model.ts";
import { sendOf } from "../machines/ledger.model.ts";
import { account } from "../machines/telegram-account.model.ts";

const http = createHttp({ baseURL: "/api", getSession: () => ({ accessToken: "token" }), refresh: async () => null });
const forecast = createForecastGateway(http);
const ledger = createLedgerGateway(http);
const { signal } = new AbortController();

const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });

/** Answers each address by `answers`, with what is told of all others; keeps what was asked. */
function serve(others: () => Response | Promise<Response>, answers: Record<string, unknown> = {}): string[] {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (input: Request | string) => {
    const { pathname, search } = new URL(typeof input === "string" ? input : input.url, "http://localhost");
    asked.push(pathname + search);
    return pathname in answers ? json(answers[pathname]) : others();
  });
  return asked;
}
afterEach(() => vi.unstubAllGlobals());

const everything = { leadId: "l/1", kind: "bulk", state: "sent", from: "2026-03-05T00:00:00.000Z", to: null };
const calls = {
  "the forecast": () => forecast.fetchForecast(signal),
  "the people waiting": () => forecast.fetchPeopleWaiting(signal),
  "the account's health": () => forecast.fetchAccount(signal),
  "the ledger": () => ledger.listSends({ ...everything, before: "9", limit: 50 }, signal),
};
const faults: [string, () => Response | Promise<Response>][] = [
  ...[401, 402, 403, 408, 422, 429, 500, 502, 503].map((status): [string, () => Response] => [
    String(status),
    () => json({ message: "No.", code: "no" }, status),
  ]),
  ["bad JSON", () => new Response("{", { headers: { "content-type": "application/json" } })],
  ["an HTML page", () => new Response("<h1>Hello</h1>", { headers: { "content-type": "text/html" } })],
  ["the wrong type", () => json("yes")],
  ["no connection", () => Promise.reject(new TypeError("Failed to fetch"))],
];

describe("a call for what is to come, or for what went out", () => {
  it("understands its answer", async () => {
    const page = { items: [sendOf(1)], next: "1" };
    const asked = serve(() => json({}, 500), {
      "/api/forecast": forecastOf(),
      "/api/inbox": { items: [conversationOf("1")], next: "1" },
      "/api/inbox/counts": { waiting: 7, unread: 3 },
      "/api/telegram/account": account,
      "/api/ledger": page,
    });
    expect(await calls["the forecast"]()).toEqual(forecastOf());
    expect(await calls["the people waiting"]()).toEqual({ items: [conversationOf("1")], count: 7 });
    expect(await calls["the account's health"]()).toEqual(account);
    expect(await calls["the ledger"]()).toEqual(page);
    expect(asked).toEqual([
      "/api/forecast?hours=24",
      "/api/inbox?view=waiting&limit=5",
      "/api/inbox/counts",
      "/api/telegram/account",
      "/api/ledger?lead_id=l%2F1&kind=bulk&state=sent&from=2026-03-05T00:00:00.000Z&before=9&limit=50",
    ]);
  });

  it("leaves filters out that are not set", async () => {
    const asked = serve(() => json({ items: [] }));
    const none = { leadId: "", kind: "", state: "", from: null, to: null, before: null };
    expect(await ledger.listSends({ ...none, limit: 50 }, signal)).toEqual({ items: [], next: null });
    expect(asked).toEqual(["/api/ledger?limit=50"]);
  });

  it.each(Object.entries(calls))("%s: no fault reaches the screen as data", async (_what, call) => {
    for (const [, fault] of faults) {
      serve(fault);
      // oxlint-disable-next-line no-await-in-loop -- one server after the other
      await expect(call()).rejects.toBeInstanceOf(Error);
    }
  });

  it("is no failure where a server does not know what is to come", async () => {
    serve(() => json({ message: "There is nothing here.", code: "not_found" }, 404));
    expect(await calls["the forecast"]()).toEqual(null);
    expect(await calls["the people waiting"]()).toEqual(null);
    expect(await calls["the account's health"]()).toEqual(null);
    await expect(calls["the ledger"]()).rejects.toMatchObject({ status: 404 });
  });
});
