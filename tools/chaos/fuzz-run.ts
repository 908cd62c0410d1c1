import http from "node:http";
import fc from "fast-check";
import { fillAccount } from "../../tests/support/full-account.ts";
import { bodyFor, idFor, idsOf, type Ids, takesOnlyJson } from "../../tests/support/isolation.ts";
import { startTestServer, type TestServer } from "../../tests/support/server.ts";
import { requestsTo, type FuzzRequest, type Target } from "./fuzz-requests.ts";

export type FuzzFailure = { answer: string; method: string; path: string; contentType: string; body: string };
export type FuzzFigures = {
  requests: number;
  calls: number;
  seed: number;
  /** number of responses by status; "left open" are the two long polls */
  statuses: Record<string, number>;
  failures: FuzzFailure[];
  seconds: number;
};

const IN_FLIGHT = 8;
const OPEN_ENDED = /^\/api\/(events|telegram\/qr-complete)/;
const LEFT_OPEN_MS = 150;
const ANSWER_MS = 35_000;
const LEFT_OPEN = "left open";
const NO_ANSWER = "no answer";
const CREDENTIALS = { email: "fuzz@example.com", password: "correct horse battery" };

const auth = (method: string, path: string, body: Record<string, unknown> | null, query: string[] = []): Target => ({
  method,
  path: `/auth/v1${path}`,
  query,
  body,
  takesForm: false,
  id: null,
});
const AUTH_TARGETS: Target[] = [
  auth("POST", "/signup", { ...CREDENTIALS, data: { name: "Fuzz" } }, ["redirect_to"]),
  auth("POST", "/token?grant_type=password", CREDENTIALS),
  auth("POST", "/token?grant_type=refresh_token", { refresh_token: "abcdefghijkl" }),
  auth("POST", "/token", CREDENTIALS, ["grant_type"]),
  auth("GET", "/user", null),
  auth("PUT", "/user", { data: { name: "Fuzz" }, password: "correct horse battery", email: "fuzz@example.com" }),
  auth("POST", "/recover", { email: CREDENTIALS.email }, ["redirect_to"]),
  auth("POST", "/resend", { type: "signup", email: CREDENTIALS.email }),
  auth("POST", "/verify", { type: "recovery", token_hash: "abc", email: CREDENTIALS.email }),
  auth("GET", "/verify", null, ["token", "type", "redirect_to", "token_hash"]),
  auth("POST", "/logout", {}, ["scope"]),
  auth("GET", "/settings", null),
];
const REST_COLUMNS = [
  "select",
  "order",
  "limit",
  "offset",
  "id",
  "name",
  "user_id",
  "owner_id",
  "on_conflict",
  "columns",
  "or",
];
const REST_TARGETS: Target[] = [
  "users",
  "subscriptions",
  "leads",
  "stages",
  "telegram_sessions",
  "user_settings",
  "{table}",
].flatMap((table) =>
  ["GET", "HEAD", "POST", "PATCH", "DELETE"].map((method) => ({
    method,
    path: `/rest/v1/${table}`,
    query: REST_COLUMNS,
    body:
      method === "GET" || method === "HEAD"
        ? null
        : { id: "00000000-0000-4000-8000-000000000000", name: "Fuzz", email: CREDENTIALS.email },
    takesForm: false,
    id: null,
  })),
);
const OTHER_TARGETS: Target[] = [
  {
    method: "POST",
    path: "/webhooks/stripe",
    query: [],
    body: { id: "evt_1", type: "x", data: { object: {} } },
    takesForm: false,
    id: null,
  },
  { method: "GET", path: "/{anything}", query: [], body: null, takesForm: false, id: null },
];

/** Calls that remove data or the session that other calls need run last. */
const isEnding = ({ method, path }: Target): boolean =>
  method === "DELETE" || path === "/auth/v1/logout" || (method === "PUT" && path === "/auth/v1/user");

type OpenApi = { paths: Record<string, Record<string, Operation>> };
type Operation = {
  parameters?: { in: string; name: string }[];
  requestBody?: { content: Record<string, { schema?: { properties?: object } }> };
};

/** Returns every call in the product's OpenAPI document, with a valid body where one is known. */
async function productTargets(server: TestServer, ids: Ids): Promise<Target[]> {
  const { body } = await server.call<OpenApi>("GET", "/api/openapi.json");
  return Object.entries(body.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([verb, { parameters = [], requestBody }]): Target => {
      const method = verb.toUpperCase();
      const takesJson = takesOnlyJson(requestBody?.content ?? {});
      return {
        method,
        path,
        query: parameters.filter((parameter) => parameter.in === "query").map(({ name }) => name),
        body: takesJson ? bodyFor({ method, path }, ids) : null,
        takesForm: /^\/api\/(followups|bulk)$/.test(path) || (method === "PATCH" && path.startsWith("/api/followups")),
        id: /\{/.test(path) && !path.startsWith("/api/media") ? idFor(path, ids) : null,
      };
    }),
  );
}

/**
 * Sends generated requests to every call of a complete server. Failures are responses of 500 or more (including 503, since the database is
 * up) and missing responses.
 */
export async function runFuzz(plan: {
  requests: number;
  seed: number;
  print?: (line: string) => void;
}): Promise<FuzzFigures> {
  const startedAt = Date.now();
  // Each request gets its own client address, so that limits per address do not end the run.
  const server = await startTestServer({ env: { TRUSTED_PROXIES: "127.0.0.1", LOG_LEVEL: "fatal" } });
  const agent = new http.Agent({ keepAlive: true, maxSockets: IN_FLIGHT });
  try {
    const account = await openAccount(server);
    const all = [...(await productTargets(server, account.ids)), ...AUTH_TARGETS, ...REST_TARGETS, ...OTHER_TARGETS];
    const targets = [...all.filter((target) => !isEnding(target)), ...all.filter(isEnding)];
    const figures: FuzzFigures = {
      requests: 0,
      calls: targets.length,
      seed: plan.seed,
      statuses: {},
      failures: [],
      seconds: 0,
    };
    const rounds = Math.ceil(plan.requests / targets.length);
    let token = account.token;
    for (const [index, target] of targets.entries()) {
      const requests = fc.sample(requestsTo(target), { numRuns: rounds, seed: plan.seed + index });
      let isSignedOut = false;
      const next = requests.entries();
      const work = async () => {
        for (const [number, request] of next) {
          // Some calls end the session or delete the account; a new account keeps the others from getting only 401.
          if (isSignedOut) ({ token } = await openAccount(server));
          isSignedOut = false;
          const given = { ...request, headers: { ...request.headers, ...caller(number, token) } };
          const first = await send(server.url, agent, given);
          // The server may have closed this connection after refusing another request, so the request is repeated.
          const answer = first.startsWith(NO_ANSWER) ? await send(server.url, false, given) : first;
          figures.requests += 1;
          figures.statuses[answer] = (figures.statuses[answer] ?? 0) + 1;
          isSignedOut ||= number % 5 !== 0 && answer === "401" && !request.path.startsWith("/auth/v1/token");
          if (answer !== LEFT_OPEN && !(Number(answer) < 500)) figures.failures.push(describe(answer, request));
        }
      };
      await Promise.all(Array.from({ length: IN_FLIGHT }, work));
      plan.print?.(`${target.method} ${target.path}: ${figures.requests} sent, ${figures.failures.length} failures`);
    }
    figures.seconds = Math.round((Date.now() - startedAt) / 1000);
    return figures;
  } finally {
    agent.destroy();
    await server.stop();
  }
}

/** Creates a subscriber with a connected account and data of every kind. */
async function openAccount(server: TestServer): Promise<{ token: string; ids: Ids }> {
  const user = await server.subscriber();
  await fillAccount(server.deps, user.userId, "fuzz", { isConnected: false, hasSubscription: true });
  return { token: user.token, ids: await idsOf(server.deps, user.userId) };
}

function caller(number: number, token: string): Record<string, string> {
  const address = `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`;
  const signedOut = number % 10 === 0 ? {} : { authorization: "Bearer abc.def.ghi" };
  return { "x-forwarded-for": address, ...(number % 5 === 0 ? signedOut : { authorization: `Bearer ${token}` }) };
}

/** Sends one request; resolves with its status, or with the reason for a missing response. */
function send(url: string, agent: http.Agent | false, { method, path, headers, body }: FuzzRequest): Promise<string> {
  return new Promise((resolve) => {
    const mayWait = OPEN_ENDED.test(path);
    const length: Record<string, string> = body === null ? {} : { "content-length": String(body.length) };
    const request = http.request(url, { method, path, agent, headers: { ...headers, ...length } });
    const timer = setTimeout(
      () => {
        resolve(mayWait ? LEFT_OPEN : `${NO_ANSWER} in time`);
        request.destroy();
      },
      mayWait ? LEFT_OPEN_MS : ANSWER_MS,
    );
    request.on("response", (response) => {
      response.resume();
      const done = () => {
        clearTimeout(timer);
        resolve(String(response.statusCode));
      };
      response.on("end", done);
      response.on("error", done);
    });
    request.on("error", (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      resolve(`${NO_ANSWER}: ${error.code ?? error.message}`);
    });
    request.end(body ?? undefined);
  });
}

const describe = (answer: string, { method, path, headers, body }: FuzzRequest): FuzzFailure => ({
  answer,
  method,
  path: path.slice(0, 300),
  contentType: headers["content-type"] ?? "",
  body: JSON.stringify(body?.toString("latin1").slice(0, 300) ?? null),
});
