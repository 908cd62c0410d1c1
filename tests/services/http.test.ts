import { setupI18n } from "@lingui/core";
import { compileMessage } from "@lingui/message-utils/compileMessage";
import { afterEach, describe, expect, it, vi } from "vitest";
import { EVERY_STAGE } from "../../domain/bulk-target.ts";
import { FIELD_PROBLEMS } from "../../domain/field-problems.ts";
import { PROBLEM_MESSAGES } from "../../domain/problem-messages.ts";
import { failureOf } from "../../domain/problem.ts";
import { type UiTextOrString, translate } from "../../domain/ui-text.ts";
import { createBulkGateway } from "../../src/services/bulk.ts";
import type { HttpDeps } from "../../src/services/http.ts";
import { createRequestKeys } from "../../src/services/request-keys.ts";
import { createStorage } from "../../src/services/storage.ts";
import { type Answer, answerInTurn, client } from "../support/api.ts";
import { english } from "../support/english.ts";

type BulkGateway = ReturnType<typeof createBulkGateway>;

const bulkGateway = () =>
  createBulkGateway({ http: client(), sessionStorage: createStorage(() => window.sessionStorage) });

const json = (status: number, body: unknown): Answer => ({ status, body });
const failed = (call: Promise<unknown>) =>
  call.then(
    () => null,
    (error: unknown) => error,
  );
const tokensOf = (sent: ReturnType<typeof answerInTurn>) => sent.map(({ authorization }) => authorization);

afterEach(() => vi.unstubAllGlobals());

describe("a call", () => {
  it("is not retried as another user who signed in during the request", async () => {
    const tokenOf = (sub: string) => `head.${btoa(JSON.stringify({ sub }))}.sign`;
    const expired = json(401, { code: "token_expired" });
    const sent = answerInTurn(expired, expired, json(200, {}));
    const getSession = () => ({ accessToken: tokenOf("ada") });
    const renewedFor = (sub: string) => client({ getSession, refresh: async () => tokenOf(sub) });
    expect(await failed(renewedFor("bob")("/stages", { method: "POST", body: {} }))).toMatchObject({ status: 401 });
    await renewedFor("ada")("/stages", { method: "POST", body: {} });
    expect(tokensOf(sent)).toEqual(Array(3).fill(`Bearer ${tokenOf("ada")}`));
  });

  it("for one user uses that user's current token, or fails", async () => {
    const sent = answerInTurn(json(200, {}));
    let session: ReturnType<HttpDeps["getSession"]> = { accessToken: "token-1", userId: "ada" };
    const http = client({ getSession: () => session });
    await http("/stages/1", { method: "PATCH", by: "ada" });
    session = { accessToken: "token-2", userId: "ada" };
    await http("/stages/2", { method: "PATCH", by: "ada" });
    for (const other of [{ accessToken: "token-3", userId: "bob" }, null]) {
      session = other;
      const refusal = failureOf(await failed(http.raw("/stages/3", { method: "PATCH", by: "ada" })));
      expect(refusal).toMatchObject({ status: 401, code: "signed_out" });
    }
    expect(sent.map(({ call, authorization }) => [call, authorization])).toEqual([
      ["PATCH /stages/1", "Bearer token-1"],
      ["PATCH /stages/2", "Bearer token-2"],
    ]);
  });

  it("carries the token, a query without blanks, and a JSON body", async () => {
    const sent = answerInTurn(json(200, { total: 0 }));
    const http = client();
    const query = { limit: 50, name: "", stage_id: null, username: undefined };
    expect(await http("/leads", { query })).toEqual({ total: 0 });
    await http("/leads", { query: { tag: ["a", "b c"] } });
    await http("/leads/1", { method: "PATCH", body: { notes: "hi" } });
    expect(sent.map(({ call, authorization, type, body }) => [call, authorization, type, body])).toEqual([
      ["GET /leads?limit=50", "Bearer token-1", null, ""],
      ["GET /leads?tag=a&tag=b+c", "Bearer token-1", null, ""],
      ["PATCH /leads/1", "Bearer token-1", "application/json", '{"notes":"hi"}'],
    ]);
  });

  it("carries no token when signed out", async () => {
    const sent = answerInTurn(json(200, {}));
    await client({ getSession: () => null })("/stages");
    expect(tokensOf(sent)).toEqual([null]);
  });

  it("returns null and the status for an empty body", async () => {
    answerInTurn({ status: 204 });
    expect(await client().raw("/stages/1", { method: "DELETE" })).toEqual({ status: 204, data: null });
  });
});

describe("a call that creates something", () => {
  const add = (stage: string, once: string | true = true, http = client()) =>
    failed(http("/reminders", { method: "POST", body: { stage }, once }));
  /** Numbers the keys of the attempts; equal numbers mean the same key. */
  const keysOf = (sent: ReturnType<typeof answerInTurn>) => {
    const keys = sent.map(({ key }) => key);
    for (const key of keys) expect(key).toMatch(/^[\da-f]{32}$/);
    return keys.map((key) => [...new Set(keys)].indexOf(key));
  };

  it("keeps its Idempotency-Key until the server responds, also after a reload", async () => {
    const sent = answerInTurn("lost", { status: 502 }, json(503, { code: "outcome_unknown" }), json(200, {}));
    for (let attempt = 0; attempt < 5; attempt += 1) await add("Interested");
    expect(keysOf(sent)).toEqual([0, 0, 0, 0, 1]);
  });

  it("gets a new key after a refusal, for other content, and for another attempt", async () => {
    const sent = answerInTurn(json(422, { code: "invalid_input", message: "No." }), "lost");
    await add("Interested");
    await add("Interested");
    await add("Keen");
    await add("Keen", "second step");
    await add("Keen");
    expect(keysOf(sent)).toEqual([0, 1, 2, 3, 2]);
  });

  it.each([
    [401, "unauthorized", [0, 0, 0]],
    [402, "subscription_required", [0, 0, 0]],
    [403, "missing_scope", [0, 0, 0]],
    [409, "account_importing", [0, 0, 0]],
    [429, "too_many_requests", [0, 0, 0]],
    [404, undefined, [0, 0, 0]],
    [503, "restarting", [0, 0, 0]],
    // This code proves that the account must wait and nothing was sent.
    [429, "account_waits", [0, 0, 1]],
  ])("keeps its key after %i %s unless that proves an earlier attempt's outcome", async (status, code, keys) => {
    const sent = answerInTurn("lost", json(status, { code, message: "No." }), json(200, {}));
    for (let attempt = 0; attempt < 3; attempt += 1) await add("Interested");
    expect(keysOf(sent)).toEqual(keys);
  });

  it("keeps its key while an expired token is renewed", async () => {
    const sent = answerInTurn("lost", json(401, { code: "token_expired" }), json(200, {}));
    const http = client({ refresh: async () => "token-2" });
    await add("Interested", true, http);
    await add("Interested", true, http);
    expect(keysOf(sent)).toEqual([0, 0, 0]);
  });

  it("distinguishes files and fields of a form", async () => {
    const sent = answerInTurn("lost");
    const file = (name: string) => new File(["x"], name, { lastModified: 1 });
    for (const media of [file("a.png"), file("b.png"), null, file("a.png")]) {
      const body = new FormData();
      body.append("message", "Hi");
      if (media) body.append("media", media);
      await failed(client()("/followups", { method: "POST", body, once: true }));
    }
    expect(keysOf(sent)).toEqual([0, 1, 2, 0]);
  });

  it("drops a key after a day", () => {
    let now = Date.UTC(2026, 0, 1);
    const storage = createStorage(() => window.sessionStorage);
    const requestKeys = createRequestKeys(storage, () => now);
    const first = requestKeys.keyOf("POST /reminders");
    now += 86_399_999;
    expect(requestKeys.keyOf("POST /reminders")).toEqual(first);
    now += 1;
    expect(requestKeys.keyOf("POST /reminders")).not.toEqual(first);
  });

  it.each([
    ["was canceled", { success: true }, (bulk: BulkGateway) => bulk.cancelJob({ jobId: "1" })],
    [
      "is seen to have ended",
      { status: "completed", sent_count: 1, failed_count: 0, total_targets: 1 },
      (bulk: BulkGateway) => bulk.fetchJob({ jobId: "1" }, new AbortController().signal),
    ],
  ])("gets a new key for the bulk message of a job that %s", async (_what, answer, end) => {
    const sent = answerInTurn("lost", "lost", json(200, answer), json(202, { job_id: 2 }));
    const bulk = bulkGateway();
    const send = () => bulk.queueMessages({ message: "Hi", target: EVERY_STAGE, throttle: "5", media: null });
    await expect(send()).rejects.toThrow("No answer from the server");
    await expect(send()).rejects.toThrow("No answer from the server");
    await end(bulk);
    await send();
    expect(keysOf(sent.filter(({ call }) => call === "POST /bulk"))).toEqual([0, 0, 1]);
  });

  it("keeps the key of a bulk message across a reload, also after an earlier job", async () => {
    const sent = answerInTurn(json(200, { success: true }), "lost");
    const before = bulkGateway();
    await before.cancelJob({ jobId: "1" });
    const send = (bulk: BulkGateway) =>
      failed(bulk.queueMessages({ message: "Hi", target: EVERY_STAGE, throttle: "5", media: null }));
    await send(before);
    await send(bulkGateway());
    expect(keysOf(sent.filter(({ call }) => call === "POST /bulk"))).toEqual([0, 0]);
  });
});

describe("a refused call", () => {
  it.each([
    [{ field: "url", code: "text", params: {} }, "Must be a text.", "Address: Must be a text."],
    [
      { field: "keywords.3", code: "too_long", params: { limit: "200", unit: "characters" } },
      "May have 200 characters at most.",
      "Keywords, one of the entries: May have 200 characters at most.",
    ],
    [{ field: "phone", code: null, params: {} }, "Use the international form.", "Use the international form."],
    [{ field: "phone", code: "of_a_newer_server", params: {} }, "Must be dialled.", "Must be dialled."],
    [
      { field: "colour", code: "unknown_field", params: {} },
      "This call has no such field.",
      "This page is older than the server. Reload it and try again.",
    ],
  ])("shows a message about the field: %o", async (problem, text, sentence) => {
    const fields = { [problem.field]: text, other: "Is missing." };
    const params = { problems: [problem, { field: "other", code: "missing", params: {} }] };
    const code = "invalid_input";
    answerInTurn(json(400, { message: `${problem.field}: ${text}`, code, params, fields }));
    const { message, body } = failureOf(await failed(client()("/stages", { method: "POST", body: {} })));
    expect(english(message ?? "")).toEqual(sentence);
    const worded = Object.entries((body as { fields: Record<string, UiTextOrString> }).fields);
    expect(Object.fromEntries(worded.map(([name, text]) => [name, english(text)]))).toEqual(fields);
  });

  it("is translated by code and parameters, with the server's English", async () => {
    const problems = [{ field: "stage_id", code: "missing", params: {} }];
    const fields = { stage_id: "Is missing." };
    answerInTurn(
      json(409, { code: "last_stage_in_use", params: { leads: 3 }, message: "The server's own English." }),
      json(422, { code: "invalid_input", message: "stage_id: Is missing.", params: { problems }, fields }),
      json(409, { code: "of_a_newer_server", message: "Something new." }),
    );
    const texts: UiTextOrString[] = [];
    for (let call = 0; call < 3; call += 1) texts.push(failureOf(await failed(client()("/leads"))).message ?? "");
    const { id: last } = PROBLEM_MESSAGES.last_stage_in_use({ leads: 3 });
    const { id: missing } = FIELD_PROBLEMS.missing();
    const messages = { de: { [last]: "Noch {leads} Kontakte.", [missing]: "Fehlt." } };
    const german = setupI18n({ locale: "de", messages }).setMessagesCompiler(compileMessage);
    expect(texts.map((text) => [translate(text, german), english(text)])).toEqual([
      ["Noch 3 Kontakte.", "The server's own English."],
      ["Stage: Fehlt.", "Stage: Is missing."],
      ["Something new.", "Something new."],
    ]);
  });

  it("with HTML instead of JSON has a status and no message", async () => {
    const body = "<h1>Bad gateway</h1>";
    answerInTurn({ status: 502, body, headers: { "content-type": "text/html" } });
    expect(failureOf(await failed(client()("/leads")))).toEqual({ status: 502, code: null, message: null, body });
  });

  it("for a missing subscription refreshes the subscription", async () => {
    const onSubscriptionRequired = vi.fn<() => void>();
    answerInTurn(json(402, { message: "Subscribe.", code: "subscription_required" }));
    expect(await failed(client({ onSubscriptionRequired })("/leads"))).toMatchObject({ status: 402 });
    expect(onSubscriptionRequired).toHaveBeenCalledOnce();
  });
});

describe("an expired token", () => {
  const expired = json(401, { message: "Expired.", code: "token_expired" });
  const renewing = client({ refresh: async () => "token-2" });

  it("is renewed once, and the call retried with the new one", async () => {
    const sent = answerInTurn(expired, json(200, { total: 3 }));
    expect(await renewing("/leads")).toEqual({ total: 3 });
    expect(tokensOf(sent)).toEqual(["Bearer token-1", "Bearer token-2"]);
  });

  it("is renewed when its session has ended, which signs this page out", async () => {
    const refresh = vi.fn<HttpDeps["refresh"]>(async () => null);
    answerInTurn(json(401, { code: "session_not_found" }));
    expect(await failed(client({ refresh })("/leads"))).toMatchObject({ code: "session_not_found" });
    expect(refresh).toHaveBeenCalledTimes(1);
  });

  it("that stays refused after the renewal fails the call", async () => {
    const sent = answerInTurn(expired);
    expect(await failed(renewing("/leads"))).toMatchObject({ code: "token_expired" });
    expect(sent).toHaveLength(2);
  });

  it("is not assumed for a 401 that asks for a Telegram password", async () => {
    const sent = answerInTurn(json(401, { "2fa_required": true }));
    const error = await failed(renewing("/telegram/qr-complete", { method: "POST" }));
    expect(failureOf(error).body).toEqual({ "2fa_required": true });
    expect(tokensOf(sent)).toEqual(["Bearer token-1"]);
  });
});
