import { expect, test } from "vitest";
import { readStandings } from "../../../server/forecast/standings.ts";
import { fillAccount } from "../../support/full-account.ts";
import {
  addressOf,
  addressWith,
  bodyFor,
  endpointsOf,
  expiredToken,
  EXTRA,
  FORMS,
  idsOf,
  findLeaks,
  readLists,
  rowsNaming,
  type Endpoint,
  type Ids,
} from "../../support/isolation.ts";
import { sharedServer, type TestUser } from "../../support/server.ts";
import { formWith } from "../../support/form.ts";
import { changeRows } from "../../support/rows.ts";
import { RESET } from "../../support/leads.ts";

const ABSENT = "00000000-0000-4000-8000-000000000000";
const server = await sharedServer();
const endpoints = await endpointsOf(server);
/**
 * The scope of each call, except the default: `read` for GET, `write` for the rest. Several where the body decides; `person` for calls that
 * accept no key.
 */
const SCOPES: Record<string, string[]> = {
  person: [
    "DELETE /api/account",
    "DELETE /api/account/import",
    "DELETE /api/keys/{id}",
    "GET /api/account/export",
    "GET /api/account/import",
    "GET /api/events",
    "GET /api/keys",
    "GET /api/telegram/qr",
    "POST /api/account/import",
    "POST /api/billing/checkout",
    "POST /api/billing/confirm",
    "POST /api/billing/portal",
    "POST /api/billing/sync",
    "POST /api/keys",
    "POST /api/telegram/disconnect",
    "POST /api/telegram/qr-cancel",
    "POST /api/telegram/qr-complete",
    "POST /api/telegram/qr-start",
    "POST /api/telegram/send-code",
    "POST /api/telegram/verify-code",
    "POST /api/telegram/verify-password",
  ],
  read: ["POST /api/bulk/preflight", "POST /api/stages/preview", "POST /api/stats/conversions"],
  send: [
    "DELETE /api/bulk/{id}",
    "POST /api/bulk",
    "POST /api/bulk/{id}/continue",
    "POST /api/followups/overdue/confirm",
    "POST /api/followups/send/{id}",
    "POST /api/leads/{id}/messages",
    "POST /api/telegram/account/resume",
  ],
  "write or send": ["POST /api/leads/batch", "POST /api/leads/batch/{id}/undo", "POST /api/leads/{id}/automation"],
  "read or write or send": ["POST /mcp"],
};
const nameOf = ({ method, path }: Pick<Endpoint, "method" | "path">) => `${method} ${path}`;
function scopeOf(endpoint: Endpoint): string {
  const scope = Object.keys(SCOPES).find((one) => SCOPES[one]?.includes(nameOf(endpoint)));
  return scope ?? (endpoint.method === "GET" ? "read" : "write");
}

const filled = async (mark: string) => {
  const user = await server.subscriber();
  await fillAccount(server.deps, user.userId, mark, { isConnected: false, hasSubscription: true });
  const held = { held_at: server.deps.clock.iso(), held_until: "2999-01-01T00:00:00Z", receipt_message_id: 1 };
  await changeRows(server.deps.db, "leads", { owner_id: user.userId }, held);
  return { ...user, own: await idsOf(server.deps, user.userId) };
};

const [ann, bob] = [await filled("Ann's"), await filled("Bob's")];
const guest = await server.signUp();

const keyOf = async ({ token }: TestUser, ...of: string[]) => {
  const key = { token, body: { name: "Sheet", scopes: of } };
  return (await server.call<{ id: string; secret: string }>("POST", "/api/keys", key)).body;
};
const gated = endpoints.filter(({ isPublic }) => !isPublic);
const withId = gated.filter(({ path }) => path.includes("{"));
const subscribed = gated.filter(({ needsSubscription }) => needsSubscription);
const bodyOf = (endpoint: Endpoint, ids: Ids) => (endpoint.takesJson ? bodyFor(endpoint, ids) : undefined);
const call = (endpoint: Endpoint, token: string | undefined, ids: Ids) =>
  server.call<{ code?: string; message?: string }>(endpoint.method, addressOf(endpoint.path, ids), {
    token,
    body: bodyOf(endpoint, ids),
  });

test("returns the same 404 for another owner's, unknown and malformed ids", async () => {
  const before = await rowsNaming(server.deps, bob.userId);
  const { secret } = await keyOf(ann, "read", "write", "send");
  const leaks: string[] = [];
  for (const endpoint of withId) {
    leaks.push(...(await findLeaks(server, endpoint, ann, bob.own)));
    if (scopeOf(endpoint) !== "person")
      leaks.push(...(await findLeaks(server, endpoint, { ...ann, token: secret }, bob.own)));
    if (nameOf(endpoint) === "PATCH /api/leads/{id}")
      leaks.push(...(await findLeaks(server, endpoint, ann, bob.own, { stage_id: ann.own.stage })));
  }
  expect(leaks).toEqual([]);
  expect(await rowsNaming(server.deps, bob.userId)).toEqual(before);
  expect(withId.length).toBeGreaterThanOrEqual(10);
});

test("reaches the owner's own rows by the same calls, and changes no other's", async () => {
  const order = ({ method, path }: Endpoint) => Number(method === "DELETE" || path.endsWith("/exclude"));
  const own = await filled("Cy's");
  const before = await rowsNaming(server.deps, bob.userId);
  for (const endpoint of withId.toSorted((a, b) => order(a) - order(b))) {
    const { status } = await call(endpoint, own.token, own.own);
    expect([200, 202, 409], `${nameOf(endpoint)} answers ${status}`).toContain(status);
  }
  for (const endpoint of gated.filter(({ method }) => method !== "GET"))
    if (!withId.includes(endpoint)) await call(endpoint, own.token, own.own);
  expect(await rowsNaming(server.deps, bob.userId)).toEqual(before);
});

test("lets only the owner restore what they deleted", async () => {
  const own = await filled("Dee's");
  // With a second stage the first one can be deleted although it has leads.
  const second = { name: "Second", keywords: ["second"], order: 2, color: "#123456" };
  await server.call("POST", "/api/stages", { token: own.token, body: second });
  for (const kind of ["followup", "reminder", "tag", "field", "view", "stage"] as const) {
    const path = `/api/${kind}s/${own.own[kind]}`;
    const restore = async (token: string, address = path) => {
      const { status, body } = await server.call("POST", `${address}/restore`, { token });
      return [kind, status, status === 200 ? "restored" : body];
    };
    expect((await server.call("DELETE", path, { token: own.token })).status).toBe(200);
    const refused = await restore(ann.token);
    expect(refused).toEqual(await restore(ann.token, `/api/${kind}s/${ABSENT}`));
    expect(refused).toMatchObject([kind, 404, {}]);
    expect(await restore(own.token)).toEqual([kind, 200, "restored"]);
  }
});

test("refuses a call without token or subscription before it checks an id", async () => {
  const old = await expiredToken(server.deps, ann.token);
  const { id, secret: revoked } = await keyOf(ann, "read", "write", "send");
  await server.call("DELETE", `/api/keys/${id}`, { token: ann.token });
  const before = await rowsNaming(server.deps, ann.userId);
  for (const endpoint of gated) {
    const codeOf = async (token: string | undefined) => {
      const { status, body } = await call(endpoint, token, ann.own);
      return [nameOf(endpoint), status, body.code];
    };
    for (const token of [undefined, "nonsense", revoked])
      expect(await codeOf(token)).toEqual([nameOf(endpoint), 401, "unauthorized"]);
    expect(await codeOf(old)).toEqual([nameOf(endpoint), 401, "token_expired"]);
  }
  for (const endpoint of subscribed) {
    const { status, body } = await call(endpoint, guest.token, ann.own);
    expect([endpoint.path, status, body.code]).toEqual([endpoint.path, 402, "subscription_required"]);
  }
  expect(await rowsNaming(server.deps, ann.userId)).toEqual(before);
  expect(subscribed.length).toBeGreaterThanOrEqual(30);
});

test("allows only billing, leaving and basic calls without a subscription", () => {
  const open = endpoints.filter(({ needsSubscription }) => !needsSubscription).map(nameOf);
  expect(open.toSorted()).toEqual([
    "DELETE /api/account",
    "DELETE /api/account/import",
    "DELETE /api/keys/{id}",
    "DELETE /api/webhooks/{id}",
    "GET /api/account/export",
    "GET /api/account/import",
    "GET /api/events",
    "GET /api/files/{id}",
    "GET /api/media/{id}",
    "POST /api/billing/checkout",
    "POST /api/billing/confirm",
    "POST /api/billing/portal",
    "POST /api/billing/sync",
  ]);
});

test("allows the calls of a key's scopes, and names the missing scope otherwise", async () => {
  expect(
    Object.values(SCOPES)
      .flat()
      .filter((name) => !gated.map(nameOf).includes(name)),
  ).toEqual([]);
  const own = await filled("Kim's");
  for (const scope of ["read", "write", "send"]) {
    const { secret: token } = await keyOf(own, scope);
    for (const endpoint of gated) {
      const path = addressWith(endpoint.path, ABSENT, ann.own);
      const options = { token, body: bodyOf(endpoint, own.own) };
      const { status, body } = await server.call<{ code?: string; message?: string }>(endpoint.method, path, options);
      const named = /needs the scope (\w+)/.exec(body.message ?? "")?.[1];
      const outcome = ![401, 403].includes(status) ? scope : body.code === "missing_scope" ? named : body.code;
      const needed = scopeOf(endpoint).split(" or ");
      // With two scopes, the bodies here need the first.
      const expected = needed.length === 3 ? scope : needed[0] === "person" ? "key_not_accepted" : needed[0];
      expect([scope, nameOf(endpoint), outcome]).toEqual([scope, nameOf(endpoint), expected]);
    }
  }
});

test("counts and lists nothing of another owner", async () => {
  const answers = await readLists(server, endpoints, ann.token);
  // A message number is too short to be recognised in a response, so it is left out.
  const ids = Object.values({ ...bob.own, message: bob.own.lead, delivery: bob.own.lead });
  const foreign = ["Bob's", bob.userId, ...ids];
  for (const [path, answer] of answers) {
    const marks = foreign.filter((mark) => answer.includes(mark));
    expect([path, /^(200|404) /.test(answer), marks]).toEqual([path, true, []]);
  }
  const figure = (path: string) => JSON.parse(answers.get(path)?.slice(4) ?? "null") as unknown;
  expect(figure("/api/leads")).toMatchObject({ total: 1 });
  expect(figure("/api/forecast")).toMatchObject({ waiting: [{ count: 1 }] });
  const standings = await readStandings(server.deps.db, ann.userId, server.clock.now());
  expect(standings).toMatchObject([{ stage_id: ann.own.stage, total: 1 }]);
  expect(figure("/api/stats/total")).toEqual({ total: 1 });
  expect(figure("/api/stats/stage-breakdown")).toEqual([{ stage_id: ann.own.stage, count: 1, value: 12.5 }]);
  expect(figure("/api/board")).toMatchObject({ columns: [{ stage_id: ann.own.stage, total: 1, value: 12.5 }] });
  expect(figure("/api/stats/funnel")).toMatchObject([{ stage_id: ann.own.stage, current: 1, reached: 1 }]);
  const volume = figure("/api/stats/volume") as { lead_count: number }[];
  expect(volume.reduce((sum, { lead_count }) => sum + lead_count, 0)).toBe(1);
});

test("treats another owner's id in a body or query as unknown", async () => {
  const range = { start: "2020-01-01T00:00:00.000Z", end: "2030-01-01T00:00:00.000Z" };
  const { lead, followup, tag } = ann.own;
  const form = { message: "hi", followup_order: "1", delay_hours: "24" };
  const bulk = { message: "hi", throttle: "1" };
  const tagging = (id: string) => ({ where: { ids: [lead] }, action: { type: "tag", tag_ids: [id] } });
  const calls: [string, (id: string) => unknown, string][] = [
    [`PATCH /api/leads/${lead}`, (stage_id) => ({ stage_id, ...RESET }), bob.own.stage],
    ["POST /api/followups", (stage_id) => formWith({ ...form, stage_id }), bob.own.stage],
    [`PATCH /api/followups/${followup}`, (stage_id) => ({ stage_id }), bob.own.stage],
    ["POST /api/bulk", (stage_id) => formWith({ ...bulk, stage_id }), bob.own.stage],
    ["POST /api/bulk", (id) => formWith({ ...bulk, lead_ids: JSON.stringify([id]) }), bob.own.lead],
    ["POST /api/bulk/preflight", (id) => ({ lead_ids: [id] }), bob.own.lead],
    ["POST /api/stats/conversions", (stage_id) => ({ stage_id, ...range, stages: [stage_id] }), bob.own.stage],
    ["POST /api/followups/overdue/confirm", (id) => ({ lead_ids: [id] }), bob.own.lead],
    ["POST /api/leads/batch", tagging, bob.own.tag],
    [`PUT /api/leads/${lead}/tags`, (id) => ({ tag_ids: [tag, id] }), bob.own.tag],
    [`PATCH /api/leads/${lead}/fields`, (id) => ({ [id]: null }), bob.own.field],
    ["POST /api/billing/confirm", (session_id) => ({ session_id }), `cs_${bob.userId}`],
  ];
  const before = [await rowsNaming(server.deps, bob.userId), await rowsNaming(server.deps, ann.userId)];
  for (const [line, body, theirs] of calls) {
    const [method = "", path = ""] = line.split(" ");
    const ask = async (id: string) => {
      const answer = await server.call(method, path, { token: ann.token, body: body(id) });
      return [line, answer.status, JSON.stringify(answer.body).replaceAll(id, "<id>")];
    };
    expect(await ask(theirs)).toEqual(await ask(ABSENT));
  }
  const list = (id: string) => server.call("GET", `/api/leads?limit=10&offset=0&stage_id=${id}`, { token: ann.token });
  expect((await list(bob.own.stage)).body).toEqual((await list(ABSENT)).body);
  expect([await rowsNaming(server.deps, bob.userId), await rowsNaming(server.deps, ann.userId)]).toEqual(before);
});

const withStage = (path: string, fields: Record<string, string>, ids: Ids) =>
  path === "/api/followups" || path === "/api/bulk" ? { ...fields, stage_id: ids.stage } : fields;

test("refuses an unknown field by name, and stores nothing", async () => {
  const before = await rowsNaming(server.deps, ann.userId);
  const json = endpoints.filter(({ takesJson }) => takesJson);
  const accepted: string[] = [];
  let tried = 0;
  const tryFields = async (method: string, path: string, bodyWith: (field: string, value: unknown) => unknown) => {
    for (const [field, value] of Object.entries(EXTRA)) {
      const { status, body } = await server.call(method, path, { token: ann.token, body: bodyWith(field, value) });
      tried += 1;
      const isNamed = status === 422 && JSON.stringify(body).includes(field);
      // The body parser itself refuses this field.
      const isUnreadable = field === "constructor" && [400, 422].includes(status);
      if (!isNamed && !isUnreadable) accepted.push(`${method} ${path} ${field}: ${status} ${JSON.stringify(body)}`);
    }
  };
  for (const endpoint of json) {
    const body = bodyFor(endpoint, ann.own);
    await tryFields(endpoint.method, addressOf(endpoint.path, ann.own), (field, value) => ({
      ...body,
      [field]: value,
    }));
  }
  for (const [path, fields] of Object.entries(FORMS)) {
    const body = withStage(path, fields, ann.own);
    await tryFields("POST", addressOf(path, ann.own), (field, value) => formWith({ ...body, [field]: String(value) }));
  }
  expect(accepted).toEqual([]);
  expect(tried).toBe((json.length + Object.keys(FORMS).length) * Object.keys(EXTRA).length);
  expect(await rowsNaming(server.deps, ann.userId)).toEqual(before);
});
