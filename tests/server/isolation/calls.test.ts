import fs from "node:fs";
import { beforeAll, expect, test } from "vitest";
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
  leaksOf,
  readsOf,
  rowsNaming,
  type Endpoint,
  type Ids,
} from "../../support/isolation.ts";
import { type TestUser } from "../../support/server.ts";
import { sharedServer } from "../../support/servers.ts";
import { changeRows } from "../../support/rows.ts";
import { RESET } from "../../support/leads.ts";

const server = await sharedServer();
const endpoints = await endpointsOf(server);
let ann: TestUser & { own: Ids };
let bob: TestUser & { own: Ids };
let guest: TestUser;
/** What a key needs for each call: a scope, several where the body decides, `person` where none is taken. */
const scopes = JSON.parse(fs.readFileSync(new URL("./scopes.expected.json", import.meta.url), "utf8")) as Record<
  string,
  string
>;

const filled = async (mark: string) => {
  const user = await server.signUp();
  await server.subscribe(user);
  await fillAccount(server.deps, user.userId, mark, { isConnected: false, hasSubscription: true });
  const held = { held_at: server.deps.clock.iso(), held_until: "2999-01-01T00:00:00Z", receipt_message_id: 1 };
  await changeRows(server.deps.db, "leads", { owner_id: user.userId }, held);
  return { ...user, own: await idsOf(server.deps, user.userId) };
};

beforeAll(async () => {
  ann = await filled("Ann's");
  bob = await filled("Bob's");
  guest = await server.signUp();
});

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;
const keyOf = async ({ token }: TestUser, ...of: string[]) => {
  const key = { token, body: { name: "Sheet", scopes: of } };
  const { body } = await server.call<{ id: string; secret: string }>("POST", "/api/keys", key);
  return body;
};
const withId = () => endpoints.filter(({ path, isPublic }) => path.includes("{") && !isPublic);
const gated = () => endpoints.filter(({ isPublic }) => !isPublic);
const call = (endpoint: Endpoint, token: string | undefined, ids: Ids) =>
  server.call(endpoint.method, addressOf(endpoint.path, ids), {
    token,
    body: endpoint.takesJson ? bodyFor(endpoint, ids) : undefined,
  });

test("somebody else's id, an absent and a malformed one get byte for byte the same 404, and nothing changes", async () => {
  const before = await rowsNaming(server.deps, bob.userId);
  const leaks: string[] = [];
  for (const endpoint of withId()) leaks.push(...(await leaksOf(server, endpoint, ann, bob.own)));
  const change = withId().filter((endpoint) => nameOf(endpoint) === "PATCH /api/leads/{id}");
  for (const endpoint of change)
    leaks.push(...(await leaksOf(server, endpoint, ann, bob.own, { stage_id: ann.own.stage })));
  expect(leaks).toEqual([]);
  expect(await rowsNaming(server.deps, bob.userId)).toEqual(before);
  expect(withId().length).toBeGreaterThanOrEqual(10);
});

test("the same calls do reach one's own things, and no call changes anything of anybody else", async () => {
  const order = ({ method, path }: Endpoint) => Number(method === "DELETE" || path.endsWith("/exclude"));
  const own = await filled("Cy's");
  const before = await rowsNaming(server.deps, bob.userId);
  for (const endpoint of withId().toSorted((a, b) => order(a) - order(b))) {
    const { status } = await call(endpoint, own.token, own.own);
    expect([nameOf(endpoint), [200, 202, 409].includes(status) ? "reached" : status]).toEqual([
      nameOf(endpoint),
      "reached",
    ]);
  }
  for (const endpoint of gated().filter(({ method, path }) => method !== "GET" && !path.includes("{")))
    await call(endpoint, own.token, own.own);
  expect(await rowsNaming(server.deps, bob.userId)).toEqual(before);
});

test("what an owner deleted is brought back by nobody else", async () => {
  const [own, absent] = [await filled("Dee's"), "00000000-0000-4000-8000-000000000000"];
  // The last stage with leads cannot be deleted.
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
    expect(refused).toEqual(await restore(ann.token, `/api/${kind}s/${absent}`));
    expect(refused).toMatchObject([kind, 404, {}]);
    expect(await restore(own.token)).toEqual([kind, 200, "restored"]);
  }
});

test("without a token, with an expired one and without a subscription every call is refused before it looks at an id", async () => {
  const old = await expiredToken(server.deps, ann);
  const { id, secret: revoked } = await keyOf(ann, "read", "write", "send");
  await server.call("DELETE", `/api/keys/${id}`, { token: ann.token });
  const before = await rowsNaming(server.deps, ann.userId);
  for (const endpoint of gated()) {
    const name = `${endpoint.method} ${endpoint.path}`;
    const codeOf = async (token: string | undefined) => {
      const { status, body } = await call(endpoint, token, ann.own);
      return [name, status, (body as { code: string }).code];
    };
    expect(await codeOf(undefined)).toEqual([name, 401, "unauthorized"]);
    expect(await codeOf("nonsense")).toEqual([name, 401, "unauthorized"]);
    expect(await codeOf(revoked)).toEqual([name, 401, "unauthorized"]);
    expect(await codeOf(old)).toEqual([name, 401, "token_expired"]);
  }
  for (const endpoint of gated().filter(({ needsSubscription }) => needsSubscription)) {
    const { status, body } = await call(endpoint, guest.token, ann.own);
    expect([endpoint.path, status, (body as { code: string }).code]).toEqual([
      endpoint.path,
      402,
      "subscription_required",
    ]);
  }
  expect(await rowsNaming(server.deps, ann.userId)).toEqual(before);
  expect(gated().filter(({ needsSubscription }) => needsSubscription).length).toBeGreaterThanOrEqual(30);
});

test("what stays open without a subscription is billing, leaving, and what every page needs", () => {
  const open = endpoints
    .filter(({ needsSubscription }) => !needsSubscription)
    .map(({ method, path }) => `${method} ${path}`);
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

test("a key calls what its scopes say; the refusal of anything else names the scope, or says that it takes a person", async () => {
  expect(gated().map(nameOf).toSorted()).toEqual(Object.keys(scopes).toSorted());
  const own = await filled("Kim's");
  const absent = "00000000-0000-4000-8000-000000000000";
  for (const scope of ["read", "write", "send"]) {
    const { secret: token } = await keyOf(own, scope);
    for (const endpoint of gated()) {
      const { status, body } = await server.call<{ code?: string; message?: string }>(
        endpoint.method,
        addressWith(endpoint.path, absent, ann.own),
        { token, body: endpoint.takesJson ? bodyFor(endpoint, own.own) : undefined },
      );
      const named = /needs the scope (\w+)/.exec(body.message ?? "")?.[1];
      const outcome = ![401, 403].includes(status) ? scope : body.code === "missing_scope" ? named : body.code;
      const needed = scopes[nameOf(endpoint)]?.split(" or ") ?? [];
      // Of two, the bodies here need the first.
      const expected = needed.length === 3 ? scope : needed[0];
      expect([scope, nameOf(endpoint), outcome]).toEqual([
        scope,
        nameOf(endpoint),
        expected === "person" ? "key_not_accepted" : expected,
      ]);
    }
  }
});

test("no key reaches money, keys, the account itself, its sign-in at Telegram, or the page's own stream", () => {
  const persons = Object.keys(scopes).filter((call) => scopes[call] === "person");
  expect(persons.toSorted()).toEqual([
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
  ]);
});

test("another owner's key with every scope gets the 404 of what does not exist, and nothing changes", async () => {
  const { secret: token } = await keyOf(ann, "read", "write", "send");
  const before = await rowsNaming(server.deps, bob.userId);
  const leaks: string[] = [];
  for (const endpoint of withId().filter((one) => scopes[nameOf(one)] !== "person"))
    leaks.push(...(await leaksOf(server, endpoint, { ...ann, token }, bob.own)));
  expect(leaks).toEqual([]);
  expect(await rowsNaming(server.deps, bob.userId)).toEqual(before);
});

test("no list, figure or status of one's own holds or counts anything of anybody else", async () => {
  const answers = await readsOf(server, endpoints, ann.token);
  // A message's number is too short to mean anything in another answer.
  const foreign = [
    "Bob's",
    bob.userId,
    ...Object.values({ ...bob.own, message: bob.own.lead, delivery: bob.own.lead }),
  ];
  for (const [path, answer] of answers) {
    expect([path, /^(200|404) /.test(answer), foreign.filter((mark) => answer.includes(mark))]).toEqual([
      path,
      true,
      [],
    ]);
  }
  const figure = (path: string) => JSON.parse(answers.get(path)?.slice(4) ?? "null") as unknown;
  expect(figure("/api/leads")).toMatchObject({ total: 1 });
  expect(figure("/api/forecast")).toMatchObject({ waiting: [{ count: 1 }] });
  expect(figure("/api/stats/total")).toEqual({ total: 1 });
  expect(figure("/api/stats/stage-breakdown")).toEqual([{ stage_id: ann.own.stage, count: 1, value: 12.5 }]);
  expect(figure("/api/board")).toMatchObject({ columns: [{ stage_id: ann.own.stage, total: 1, value: 12.5 }] });
  expect(figure("/api/stats/funnel")).toMatchObject([{ stage_id: ann.own.stage, current: 1, reached: 1 }]);
  const volume = figure("/api/stats/volume") as { lead_count: number }[];
  expect(volume.reduce((sum, { lead_count }) => sum + lead_count, 0)).toBe(1);
});

test("an id inside a body or a query that is somebody else's counts as one that does not exist", async () => {
  const absent = "00000000-0000-4000-8000-000000000000";
  const range = { start: "2020-01-01T00:00:00.000Z", end: "2030-01-01T00:00:00.000Z" };
  const calls: [string, string, (id: string) => unknown, string][] = [
    ["PATCH", `/api/leads/${ann.own.lead}`, (stage_id) => ({ stage_id, ...RESET }), bob.own.stage],
    [
      "POST",
      "/api/followups",
      (stage_id) => formOf({ stage_id, message: "hi", followup_order: "1", delay_hours: "24" }),
      bob.own.stage,
    ],
    ["PATCH", `/api/followups/${ann.own.followup}`, (stage_id) => ({ stage_id }), bob.own.stage],
    ["POST", "/api/bulk", (stage_id) => formOf({ stage_id, message: "hi", throttle: "1" }), bob.own.stage],
    [
      "POST",
      "/api/bulk",
      (id) => formOf({ lead_ids: JSON.stringify([id]), message: "hi", throttle: "1" }),
      bob.own.lead,
    ],
    ["POST", "/api/bulk/preflight", (id) => ({ lead_ids: [id] }), bob.own.lead],
    ["POST", "/api/stats/conversions", (stage_id) => ({ stage_id, ...range, stages: [stage_id] }), bob.own.stage],
    ["POST", "/api/followups/overdue/confirm", (id) => ({ lead_ids: [id] }), bob.own.lead],
    [
      "POST",
      "/api/leads/batch",
      (id) => ({ where: { ids: [ann.own.lead] }, action: { type: "tag", tag_ids: [id] } }),
      bob.own.tag,
    ],
    ["PUT", `/api/leads/${ann.own.lead}/tags`, (id) => ({ tag_ids: [ann.own.tag, id] }), bob.own.tag],
    ["PATCH", `/api/leads/${ann.own.lead}/fields`, (id) => ({ [id]: null }), bob.own.field],
    ["POST", "/api/billing/confirm", (session_id) => ({ session_id }), `cs_${bob.userId}`],
  ];
  const before = [await rowsNaming(server.deps, bob.userId), await rowsNaming(server.deps, ann.userId)];
  for (const [method, path, body, theirs] of calls) {
    const ask = async (id: string) => {
      const answer = await server.call(method, path, { token: ann.token, body: body(id) });
      return [method, path, answer.status, JSON.stringify(answer.body).replaceAll(id, "<id>")];
    };
    expect(await ask(theirs)).toEqual(await ask(absent));
  }
  const list = (id: string) => server.call("GET", `/api/leads?limit=10&offset=0&stage_id=${id}`, { token: ann.token });
  expect((await list(bob.own.stage)).body).toEqual((await list(absent)).body);
  expect([await rowsNaming(server.deps, bob.userId), await rowsNaming(server.deps, ann.userId)]).toEqual(before);
});

const withStage = (path: string, fields: Record<string, string>, ids: Ids) =>
  path === "/api/followups" || path === "/api/bulk" ? { ...fields, stage_id: ids.stage } : fields;
const formOf = (fields: Record<string, string>) => {
  const form = new FormData();
  for (const [name, text] of Object.entries(fields)) form.set(name, text);
  return form;
};

test("a field that a call does not know is refused by its name, and nothing of it is stored", async () => {
  const before = await rowsNaming(server.deps, ann.userId);
  const json = endpoints.filter(({ takesJson }) => takesJson);
  const accepted: string[] = [];
  let asked = 0;
  const tryFields = async (method: string, path: string, bodyWith: (field: string, value: unknown) => unknown) => {
    for (const [field, value] of Object.entries(EXTRA)) {
      const { status, body } = await server.call(method, path, { token: ann.token, body: bodyWith(field, value) });
      asked += 1;
      const isNamed = status === 422 && JSON.stringify(body).includes(field);
      // The parsers themselves turn this one away.
      const isUnreadable = field === "constructor" && [400, 422].includes(status);
      if (!isNamed && !isUnreadable) accepted.push(`${method} ${path} ${field}: ${status} ${JSON.stringify(body)}`);
    }
  };
  for (const endpoint of json) {
    const path = addressOf(endpoint.path, ann.own);
    await tryFields(endpoint.method, path, (field, value) => ({ ...bodyFor(endpoint, ann.own), [field]: value }));
  }
  for (const [path, fields] of Object.entries(FORMS)) {
    await tryFields("POST", addressOf(path, ann.own), (field, value) =>
      formOf({ ...withStage(path, fields, ann.own), [field]: String(value) }),
    );
  }
  expect(accepted).toEqual([]);
  expect(asked).toBe((json.length + Object.keys(FORMS).length) * Object.keys(EXTRA).length);
  expect(await rowsNaming(server.deps, ann.userId)).toEqual(before);
});

test("the same forms without the extra field are taken", async () => {
  const own = await filled("Di's");
  for (const [path, fields] of Object.entries(FORMS)) {
    const { status } = await server.call("POST", addressOf(path, own.own), {
      token: own.token,
      body: formOf(withStage(path, fields, own.own)),
    });
    expect([path, [200, 409].includes(status)]).toEqual([path, true]);
  }
});
