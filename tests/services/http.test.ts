import { setupI18n } from "@lingui/core";
import { compileMessage } from "@lingui/message-utils/compileMessage";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { failureOf } from "../../domain/problem.ts";
import { type HttpDeps, createHttp } from "../../src/services/http.ts";
import { createRequestKeys } from "../../src/services/request-keys.ts";
import { createStorage } from "../../src/services/storage.ts";
import { FIELD_PROBLEMS } from "../../domain/field-problems.ts";
import { PROBLEM_MESSAGES } from "../../domain/problem-messages.ts";
import { type UiTextOrString, translate } from "../../domain/ui-text.ts";
import { english } from "../support/english.ts";

type Seen = { method: string; url: string; authorization: string | undefined; type: string | undefined; body: string };
const keys: (string | undefined)[] = [];
type Answer = { status: number; body?: string; type?: string } | "reset";

const closers: (() => void)[] = [];
afterEach(() => {
  keys.length = 0;
  for (const close of closers.splice(0)) close();
});

/** A real server on loopback that gives the answers in turn, the last one for ever. */
async function serve(...answers: Answer[]) {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (part: Buffer) => (body += part.toString()));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      keys.push(headers["idempotency-key"] as string | undefined);
      seen.push({ method, url, authorization: headers.authorization, type: headers["content-type"], body });
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      if (answer === undefined) return;
      if (answer === "reset") {
        request.socket.destroy();
        return;
      }
      response.writeHead(answer.status, { "content-type": answer.type ?? "application/json" });
      response.end(answer.body ?? "");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { seen, baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api` };
}

const client = (baseURL: string, deps: Partial<HttpDeps> = {}) =>
  createHttp({ baseURL, getSession: () => ({ accessToken: "token-1" }), refresh: async () => null, ...deps });
const json = (status: number, value: unknown): Answer => ({ status, body: JSON.stringify(value) });
const failed = (call: Promise<unknown>) =>
  call.then(
    () => null,
    (error: unknown) => error,
  );

describe("a call", () => {
  it("is not repeated in the name of somebody who signed in while it was on its way", async () => {
    const tokenOf = (sub: string) => `head.${btoa(JSON.stringify({ sub }))}.sign`;
    const expired = json(401, { code: "token_expired" });
    const { seen, baseURL } = await serve(expired, expired, json(200, {}));
    const of = (sub: string) =>
      client(baseURL, { getSession: () => ({ accessToken: tokenOf("ada") }), refresh: async () => tokenOf(sub) });
    expect(await failed(of("bob")("/stages", { method: "POST", body: {} }))).toMatchObject({ status: 401 });
    await of("ada")("/stages", { method: "POST", body: {} });
    expect(seen.map(({ authorization }) => authorization)).toEqual(Array(3).fill(`Bearer ${tokenOf("ada")}`));
  });

  it("made for one person is made in their name or not at all, with the token of the moment", async () => {
    const { seen, baseURL } = await serve(json(200, {}));
    let session: ReturnType<HttpDeps["getSession"]> = { accessToken: "token-1", userId: "ada" };
    const http = client(baseURL, { getSession: () => session });
    await http("/stages/1", { method: "PATCH", by: "ada" });
    session = { accessToken: "token-2", userId: "ada" };
    await http("/stages/2", { method: "PATCH", by: "ada" });
    for (const other of [{ accessToken: "token-3", userId: "bob" }, null]) {
      session = other;
      expect(failureOf(await failed(http.raw("/stages/3", { method: "PATCH", by: "ada" })))).toMatchObject({
        status: 401,
        code: "signed_out",
      });
    }
    expect(seen.map(({ url, authorization }) => [url, authorization])).toEqual([
      ["/api/stages/1", "Bearer token-1"],
      ["/api/stages/2", "Bearer token-2"],
    ]);
  });

  it("carries the token, a query without blanks, and a JSON body", async () => {
    const { seen, baseURL } = await serve(json(200, { total: 0 }));
    const http = client(baseURL);
    expect(await http("/leads", { query: { limit: 50, name: "", stage_id: null, username: undefined } })).toEqual({
      total: 0,
    });
    await http("/leads", { query: { tag: ["a", "b c"] } });
    await http("/leads/1", { method: "PATCH", body: { notes: "hi" } });
    const read = { method: "GET", authorization: "Bearer token-1", type: undefined, body: "" };
    expect(seen).toEqual([
      { ...read, url: "/api/leads?limit=50" },
      { ...read, url: "/api/leads?tag=a&tag=b+c" },
      {
        method: "PATCH",
        url: "/api/leads/1",
        authorization: "Bearer token-1",
        type: "application/json",
        body: '{"notes":"hi"}',
      },
    ]);
  });

  it("of someone signed out carries no token", async () => {
    const { seen, baseURL } = await serve(json(200, {}));
    await client(baseURL, { getSession: () => null })("/stages");
    expect(seen[0]?.authorization).toEqual(undefined);
  });

  it("answered without a body gives null, and its status when asked for", async () => {
    const { baseURL } = await serve({ status: 204 });
    expect(await client(baseURL).raw("/stages/1", { method: "DELETE" })).toEqual({ status: 204, data: null });
  });
});

describe("a call that creates something", () => {
  const add = (http: ReturnType<typeof client>, stage: string, once: string | true = true) =>
    failed(http("/reminders", { method: "POST", body: { stage }, once }));

  it("keeps its Idempotency-Key until the server answers, also after a reload", async () => {
    const { baseURL } = await serve("reset", { status: 502 }, json(503, { code: "outcome_unknown" }), json(200, {}));
    for (let attempt = 0; attempt < 4; attempt += 1) await add(client(baseURL), "Interested");
    expect(keys).toEqual(Array(4).fill(expect.stringMatching(/^[\da-f]{32}$/)));
    expect(new Set(keys).size).toEqual(1);
    await add(client(baseURL), "Interested");
    expect(keys[4]).not.toEqual(keys[0]);
  });

  it("gets a new key after a refusal, for other content, and for another attempt", async () => {
    const { baseURL } = await serve(json(422, { code: "invalid_input", message: "No." }), "reset");
    const http = client(baseURL);
    await add(http, "Interested");
    await add(http, "Interested");
    await add(http, "Keen");
    await add(http, "Keen", "second step");
    await add(http, "Keen");
    expect(new Set(keys.slice(0, 4)).size).toEqual(4);
    expect(keys[4]).toEqual(keys[2]);
  });

  it.each([
    [401, "unauthorized"],
    [402, "subscription_required"],
    [403, "missing_scope"],
    [409, "account_importing"],
    [429, "too_many_requests"],
    [429, undefined],
    [503, "restarting"],
  ])("keeps its key after %i %s, which says nothing of an attempt before", async (status, code) => {
    const { baseURL } = await serve("reset", json(status, { code, message: "No." }), json(200, {}));
    for (let attempt = 0; attempt < 3; attempt += 1) await add(client(baseURL), "Interested");
    expect(keys).toEqual([keys[0], keys[0], keys[0]]);
  });

  it("gets a new key once the server has told that the account must wait", async () => {
    const { baseURL } = await serve("reset", json(429, { code: "account_waits", message: "Wait." }));
    for (let attempt = 0; attempt < 3; attempt += 1) await add(client(baseURL), "Interested");
    expect(keys[1]).toEqual(keys[0]);
    expect(keys[2]).not.toEqual(keys[0]);
  });

  it("keeps its key while an expired token is renewed", async () => {
    const { baseURL } = await serve("reset", json(401, { code: "token_expired" }), json(200, {}));
    const http = client(baseURL, { refresh: async () => "token-2" });
    await add(http, "Interested");
    await add(http, "Interested");
    expect(keys).toEqual([keys[0], keys[0], keys[0]]);
  });

  it("tells files and fields of a form apart", async () => {
    const { baseURL } = await serve("reset");
    const http = client(baseURL);
    const send = (...entries: [string, string | File][]) => {
      const body = new FormData();
      for (const [name, value] of entries) body.append(name, value);
      return failed(http("/followups", { method: "POST", body, once: true }));
    };
    const file = (name: string) => new File(["x"], name, { lastModified: 1 });
    await send(["message", "Hi"], ["media", file("a.png")]);
    await send(["message", "Hi"], ["media", file("b.png")]);
    await send(["message", "Hi"]);
    await send(["message", "Hi"], ["media", file("a.png")]);
    expect(new Set(keys).size).toEqual(3);
    expect(keys[3]).toEqual(keys[0]);
  });

  it("gives up a key after a day", () => {
    let now = Date.UTC(2026, 0, 1);
    const requestKeys = createRequestKeys(
      createStorage(() => window.sessionStorage),
      () => now,
    );
    const first = requestKeys.keyOf("POST /reminders");
    now += 86_399_999;
    expect(requestKeys.keyOf("POST /reminders")).toEqual(first);
    now += 1;
    expect(requestKeys.keyOf("POST /reminders")).not.toEqual(first);
  });
});

describe("a refused call", () => {
  it.each([
    [{ field: "url", code: "text", params: {} }, "Must be a text.", "Address: Must be a text."],
    [
      { field: "keywords", code: "too_long", params: { limit: "500", unit: "entries" } },
      "May have 500 entries at most.",
      "Keywords: May have 500 entries at most.",
    ],
    [{ field: "phone", code: null, params: {} }, "Use the international form.", "Use the international form."],
    [{ field: "phone", code: "of_a_newer_server", params: {} }, "Must be dialled.", "Must be dialled."],
    [
      { field: "colour", code: "unknown_field", params: {} },
      "This call has no such field.",
      "This page is older than the server. Reload it and try again.",
    ],
  ])(
    "that changes something is worded as a sentence about the field, by its code: %o",
    async (problem, text, sentence) => {
      const { field } = problem;
      const body = {
        message: `${field}: ${text}`,
        code: "invalid_input",
        params: { problems: [problem, { field: "other", code: "missing", params: {} }] },
        fields: { [field]: text, other: "Is missing." },
      };
      const { baseURL } = await serve(json(400, body));
      const error = await failed(client(baseURL)("/stages", { method: "POST", body: {} }));
      expect(english(failureOf(error).message ?? "")).toEqual(sentence);
      const { fields } = failureOf(error).body as { fields: Record<string, UiTextOrString> };
      expect(Object.fromEntries(Object.entries(fields).map(([name, said]) => [name, english(said)]))).toEqual(
        body.fields,
      );
    },
  );

  it("for one of a list says so before the problem", async () => {
    const fields = { "keywords.3": "May have 200 characters at most.", name: "Is missing." };
    const message = `keywords.3: ${fields["keywords.3"]}`;
    const params = {
      problems: [
        { field: "keywords.3", code: "too_long", params: { limit: "200", unit: "characters" } },
        { field: "name", code: "missing", params: {} },
      ],
    };
    const { baseURL } = await serve(json(422, { message, code: "invalid_input", params, fields }));
    const error = await failed(client(baseURL)("/stages", { method: "POST", body: {} }));
    const sentence = "Keywords, one of the entries: May have 200 characters at most.";
    expect(english(failureOf(error).message ?? "")).toEqual(sentence);
  });

  it("is worded in the page's language by its code and parameters, and in English as the server wrote it", async () => {
    const refusal = { code: "last_stage_in_use", params: { leads: 3 }, message: "The server's own English." };
    const named = {
      code: "invalid_input",
      message: "stage_id: Is missing.",
      params: { problems: [{ field: "stage_id", code: "missing", params: {} }] },
      fields: { stage_id: "Is missing." },
    };
    const unknown = { code: "of_a_newer_server", message: "Something new." };
    const { baseURL } = await serve(json(409, refusal), json(422, named), json(409, unknown));
    const errors = [
      await failed(client(baseURL)("/stages")),
      await failed(client(baseURL)("/leads")),
      await failed(client(baseURL)("/leads")),
    ];
    const texts = errors.map((error) => failureOf(error).message ?? "");
    const { id: last } = PROBLEM_MESSAGES.last_stage_in_use({ leads: 3 });
    const { id: missing } = FIELD_PROBLEMS.missing();
    const german = setupI18n({
      locale: "de",
      messages: { de: { [last]: "Noch {leads} Kontakte.", [missing]: "Fehlt." } },
    }).setMessagesCompiler(compileMessage);
    expect(texts.map((text) => translate(text, german))).toEqual([
      "Noch 3 Kontakte.",
      "Stage: Fehlt.",
      "Something new.",
    ]);
    expect(texts.map(english)).toEqual(["The server's own English.", "Stage: Is missing.", "Something new."]);
  });

  it("with a page in place of JSON has a status and no message", async () => {
    const { baseURL } = await serve({ status: 502, body: "<h1>Bad gateway</h1>", type: "text/html" });
    expect(failureOf(await failed(client(baseURL)("/leads")))).toEqual({
      status: 502,
      code: null,
      message: null,
      body: "<h1>Bad gateway</h1>",
    });
  });

  it("for want of a subscription has the subscription read again", async () => {
    let calls = 0;
    const { baseURL } = await serve(json(402, { message: "Subscribe.", code: "subscription_required" }));
    const error = await failed(
      client(baseURL, {
        onSubscriptionRequired: () => {
          calls += 1;
        },
      })("/leads"),
    );
    expect([failureOf(error).status, calls]).toEqual([402, 1]);
  });
});

describe("an expired token", () => {
  const expired = json(401, { message: "Expired.", code: "token_expired" });

  it("is renewed once and the call repeated with the new one", async () => {
    const { seen, baseURL } = await serve(expired, json(200, { total: 3 }));
    expect(await client(baseURL, { refresh: async () => "token-2" })("/leads")).toEqual({ total: 3 });
    expect(seen.map((call) => call.authorization)).toEqual(["Bearer token-1", "Bearer token-2"]);
  });

  it("that stays refused after the renewal fails the call", async () => {
    const { seen, baseURL } = await serve(expired);
    const error = await failed(client(baseURL, { refresh: async () => "token-2" })("/leads"));
    expect([failureOf(error).code, seen.length]).toEqual(["token_expired", 2]);
  });

  it("is not looked for behind a 401 that asks for a Telegram password", async () => {
    let renewals = 0;
    const { baseURL } = await serve(json(401, { "2fa_required": true }));
    const refresh = async () => {
      renewals += 1;
      return "token-2";
    };
    const error = await failed(client(baseURL, { refresh })("/telegram/qr-complete", { method: "POST" }));
    expect([failureOf(error).body, renewals]).toEqual([{ "2fa_required": true }, 0]);
  });
});
