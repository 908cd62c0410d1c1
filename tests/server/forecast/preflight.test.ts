import { expect, it } from "vitest";
import type { Forecast } from "../../../domain/forecast.ts";
import type { Preflight } from "../../../domain/preflight.ts";
import { changeRows, rowsOf } from "../../support/rows.ts";
import { ownServer } from "../../support/server.ts";

const server = await ownServer();
const { db } = server.deps;

it("counts reachable leads, and skipped ones by reason", async () => {
  const user = await server.subscriber();
  const { phone } = await server.connect(user);
  const people: number[] = [];
  for (const first_name of ["Ann", "Bob", "Cy", "Di", "Ed"])
    people.push((await server.receive(phone, { first_name }, "hello")).user_id);
  const be = (place: number, body: object) => server.sandbox(phone, `/people/${people[place]}`, body);
  await be(1, { privacy: "premium" });
  await be(2, { privacy: "paid" });
  await be(3, { privacy: "contacts" });
  const blocked = { owner_id: user.userId, telegram_user_id: String(people[4]) };
  await changeRows(db, "leads", blocked, { unreachable_reason: "USER_IS_BLOCKED" });
  const ask = (query: string) => user.call<Preflight>("GET", `/bulk/preflight?${query}`);
  const some = (filter: string) => `throttle=1&query=${encodeURIComponent(filter)}`;
  // Telegram is asked only about these leads, in the background; the request waits for a limited time.
  await ask(some("name=an"));
  await server.idle();
  expect((await ask(some("name=an"))).body.unchecked).toBe(0);
  expect(await rowsOf(db, "contact_checks", {}, ["peer_id"])).toEqual([{ peer_id: String(people[0]) }]);
  await ask("stage_id=&throttle=1");
  await server.idle();
  const { status, body } = await ask("stage_id=&throttle=1&message_length=12");
  expect(status).toBe(200);
  expect(body).toMatchObject({ targets: 5, reachable: 1, cold: 0, cold_left_today: 200, unchecked: 0 });
  const premium = "Each of them accepts messages only from their contacts and from Premium accounts.";
  expect(body.skipped.toSorted((a, b) => a.reason.localeCompare(b.reason))).toEqual([
    { reason: "ALLOW_PAYMENT_REQUIRED_25", words: "Each of them asks for paid messages.", count: 1 },
    { reason: "PRIVACY_PREMIUM_REQUIRED", words: premium, count: 2 },
    { reason: "USER_IS_BLOCKED", words: "Each of them blocked you.", count: 1 },
  ]);
  // Four messages, the first at once: three gaps of a second, each 10 % longer on average.
  expect(Date.parse(body.finishes_at ?? "") - Date.parse(body.starts_at ?? "")).toBe(3_300);

  expect((await ask(some("name=an"))).body).toMatchObject({ targets: 1, reachable: 1, skipped: [] });
  expect((await ask(some("unreachable=true"))).body).toMatchObject({ targets: 1, reachable: 0 });
  expect((await ask(`${some("")}&stage_id=${user.userId}`)).status).toBe(422);

  const leads = await rowsOf(db, "leads", { owner_id: user.userId }, ["id", "name"]);
  const named = leads.filter(({ name }) => name === "Ann" || name === "Bob").map(({ id }) => id);
  const exactly = (body: object) => user.call<Preflight>("POST", "/bulk/preflight", body);
  const lead_ids = [...named, crypto.randomUUID()];
  expect((await exactly({ lead_ids, throttle: 1 })).body).toMatchObject({ targets: 2, reachable: 1, unchecked: 0 });
  const wrong = [{ throttle: 0 }, { message_length: 4_097 }, { query: "" }].map((more) => ({ lead_ids, ...more }));
  for (const body of [{}, { lead_ids: [] }, ...wrong])
    expect([body, (await exactly(body)).status]).toEqual([body, 422]);

  const foreseen = await user.call<Forecast>("GET", "/forecast");
  expect(foreseen.body).toMatchObject({ items: [], waiting: [{ state: "no_steps", count: 5 }], total: 0 });
  expect(foreseen.body.by_hour.map(({ count }) => count)).toEqual(Array.from(foreseen.body.by_hour, () => 0));
  expect([24, 25]).toContain(foreseen.body.by_hour.length);
});

it("refuses invalid parameters of the preflight and the forecast by name", async () => {
  const { call } = await server.subscriber();
  const refused = async (address: string) => {
    const { status, body } = await call<{ fields?: object }>("GET", address);
    return [address, status, Object.keys(body.fields ?? {})];
  };
  const wrong: [string, string][] = [
    ["/bulk/preflight?throttle=0", "throttle"],
    ["/bulk/preflight?message_length=4097", "message_length"],
    ["/bulk/preflight?message_length=0", "message_length"],
    ["/bulk/preflight?query=colour%3Dred", "query.colour"],
    ["/bulk/preflight?media=1", "media"],
    ["/forecast?hours=0", "hours"],
    ["/forecast?hours=169", "hours"],
  ];
  for (const [address, field] of wrong) expect(await refused(address)).toEqual([address, 422, [field]]);
  const empty = await call<Preflight>("GET", "/bulk/preflight?stage_id=none");
  expect(empty.body).toMatchObject({ targets: 0, reachable: 0, skipped: [], starts_at: null, finishes_at: null });
});
