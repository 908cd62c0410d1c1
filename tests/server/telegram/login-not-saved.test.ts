import { sql } from "kysely";
import { expect, test } from "vitest";
import { eventually, startTelegram, type Telegram } from "./support.ts";

const PHONE = "+4915112345678";
const OTHER = "+4915199999999";
const NOT_SAVED = {
  status: 503,
  body: {
    code: "login_not_saved",
    message: "Telegram accepted the login, but it could not be saved, so it was ended again. Try again in a moment.",
  },
};

/** Makes storing the keys of a session fail until the returned function is called. */
async function refuseKeys({ deps }: Telegram): Promise<() => Promise<unknown>> {
  await sql`create function refuse_keys() returns trigger language plpgsql as $$ begin raise exception 'the disk is full'; end $$`.execute(
    deps.db,
  );
  await sql`create trigger refuse_keys before insert or update on telegram_auth_keys for each row execute function refuse_keys()`.execute(
    deps.db,
  );
  return () => sql`drop trigger refuse_keys on telegram_auth_keys`.execute(deps.db);
}

const sessionsOf = ({ network }: Telegram, phone: string) => network.account(phone).sessions.map(({ id }) => id);
const stateOf = async ({ deps }: Telegram, userId: string) =>
  deps.db.selectFrom("telegram_sessions").select(["phone", "state"]).where("user_id", "=", userId).execute();

test.each([
  ["the same account", PHONE],
  ["another account", OTHER],
])("a login of %s that cannot be stored is ended, and the connected account stays", async (_name, phone) => {
  const telegram = await startTelegram();
  const user = await telegram.newUser();
  await telegram.startKeeper();
  await telegram.connect(user, PHONE);
  const before = await telegram.inbox.account(user);
  const sessions = sessionsOf(telegram, PHONE);
  const accept = await refuseKeys(telegram);
  telegram.network.createAccount({ phone: OTHER });
  expect(await telegram.connect(user, phone)).toMatchObject(NOT_SAVED);
  expect([sessionsOf(telegram, PHONE), sessionsOf(telegram, OTHER)]).toEqual([sessions, []]);
  expect(await stateOf(telegram, user)).toEqual([{ phone: PHONE, state: "connected" }]);
  telegram.network.receive(PHONE, { from: { first_name: "Ben" }, text: "still here" });
  expect((await eventually("the message", () => telegram.inbox.messages[0])).text).toBe("still here");
  expect(telegram.inbox.leased.get(user)?.fence).toBe(before.fence);

  await accept();
  telegram.clock.advance(3_600);
  expect(await telegram.connect(user, phone)).toMatchObject({ status: 200 });
  await eventually("the new session", async () =>
    (await stateOf(telegram, user)).some((row) => row.phone === phone && row.state === "connected"),
  );
  const now = [...sessionsOf(telegram, PHONE), ...sessionsOf(telegram, OTHER)];
  expect([now.length, now.includes(sessions[0] ?? "")]).toEqual([1, false]);
});

test("a first login that cannot be stored leaves no session behind, by code or by QR", async () => {
  const telegram = await startTelegram();
  const user = await telegram.newUser();
  await refuseKeys(telegram);
  telegram.network.createAccount({ phone: PHONE });
  expect(await telegram.connect(user, PHONE)).toMatchObject(NOT_SAVED);
  expect(sessionsOf(telegram, PHONE)).toEqual([]);
  const { body } = await telegram.call(user, "POST", "qr-start");
  const complete = telegram.call(user, "POST", "qr-complete", { timeout_sec: 120 });
  await telegram.network.scan(PHONE, String(body["qr_url"]));
  expect(await complete).toMatchObject(NOT_SAVED);
  expect([sessionsOf(telegram, PHONE), await stateOf(telegram, user)]).toEqual([[], []]);
});
