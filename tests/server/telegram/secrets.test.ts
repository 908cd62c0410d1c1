import { sql } from "kysely";
import { pino } from "pino";
import { expect, test } from "vitest";
import { createVault } from "../../../server/core/vault.ts";
import { authKeyRowId } from "../../../server/telegram/storage/auth-keys.ts";
import { startTelegram, type Telegram } from "./support.ts";

const [PHONE, QR_PHONE] = ["+4915177700001", "+4915177700002"];
const PASSWORD = "canary-password-7f3a";
const WRONG_PASSWORD = "canary-wrong-password-91c2";
const HINT = "canary-hint-55d0";
const MESSAGE = "canary-message-0b7e";
const ANSWER = "canary-answer-4a19";
const NAME = "Canaryfirstname";

/** Returns every row of every table, as text and in hex. */
async function dump({ deps }: Telegram, leaveOut: string[] = []): Promise<string> {
  const { rows: tables } = await sql<{ schemaname: string; tablename: string }>`
    select schemaname, tablename from pg_tables where schemaname in ('public', 'auth')`.execute(deps.db);
  const texts: string[] = [];
  for (const { schemaname, tablename } of tables) {
    if (leaveOut.includes(tablename)) continue;
    const { rows } = await sql<{ line: string }>`
      select t::text as line from ${sql.table(`${schemaname}.${tablename}`)} t`.execute(deps.db);
    texts.push(...rows.map(({ line }) => line));
  }
  return texts.join("\n");
}

const spellings = (secret: Uint8Array) => {
  const bytes = Buffer.from(secret);
  return [bytes.toString("hex"), bytes.toString("base64"), bytes.toString("base64url"), bytes.toString("latin1")];
};

test("stores no code, password, QR code or session key in logs, audit and tables", async () => {
  const lines: string[] = [];
  const sink = { write: (line: string) => void lines.push(line) };
  const telegram = await startTelegram({ logger: pino({ level: "trace" }, sink) });
  const { network } = telegram;
  await telegram.startKeeper();
  const user = await telegram.newUser();
  network.createAccount({ phone: PHONE, password: PASSWORD, hint: HINT });
  network.createAccount({ phone: QR_PHONE });

  await telegram.call(user, "POST", "send-code", { phone: PHONE });
  const code = network.account(PHONE).login_code ?? "";
  await telegram.call(user, "POST", "verify-code", { phone: PHONE, code });
  await telegram.call(user, "POST", "verify-password", { password: WRONG_PASSWORD });
  expect(await telegram.call(user, "POST", "verify-password", { password: PASSWORD })).toMatchObject({ status: 200 });
  const account = await telegram.inbox.account(user);

  const { user_id } = network.receive(PHONE, {
    from: { first_name: NAME, username: "canary_username" },
    text: MESSAGE,
  });
  await telegram.idle();
  const to = { telegramUserId: String(user_id) };
  await account.port.sendText({ to, text: ANSWER, randomId: 1n });
  network.addFault(PHONE, { method: "messages.sendMessage", error: "500:INTERNAL", times: 1 });
  await expect(account.port.sendText({ to, text: ANSWER, randomId: 2n })).rejects.toThrow("INTERNAL");
  let refused = 0;
  telegram.inbox.beforeStoring = () => {
    if ((refused += 1) <= 2) throw new Error("the database cannot be reached");
  };
  network.receive(PHONE, { from: { user_id, first_name: NAME }, text: `${MESSAGE} again` });
  await telegram.idle();

  const rows = await telegram.deps.db.selectFrom("telegram_auth_keys").selectAll().execute();
  const vault = createVault(telegram.deps.config.encryptionKeys);
  const keys = rows.map((row) =>
    vault.open(
      { version: row.key_version, bytes: row.sealed },
      { userId: user, rowId: authKeyRowId(row.account_id, row.dc, row.slot) },
    ),
  );
  expect(keys.length).toBeGreaterThan(0);

  const other = await telegram.newUser();
  const { body } = await telegram.call(other, "POST", "qr-start");
  const qrUrl = String(body["qr_url"]);
  const complete = telegram.call(other, "POST", "qr-complete", { timeout_sec: 60 });
  await network.scan(QR_PHONE, qrUrl);
  expect(await complete).toMatchObject({ status: 200 });
  const [stored, addressBook] = [await dump(telegram, ["telegram_peers", "telegram_state"]), await dump(telegram)];
  network.revoke(PHONE);
  await telegram.idle();
  expect((await telegram.call(user, "GET", "status")).body["connected"]).toBe(false);
  await telegram.call(other, "POST", "disconnect");

  const token = qrUrl.split("token=")[1] ?? "";
  const never = [code, PASSWORD, WRONG_PASSWORD, HINT, token, ...keys.flatMap(spellings)];
  const inLogs = [...never, PHONE, PHONE.slice(1), QR_PHONE.slice(1), MESSAGE, ANSWER, NAME, "canary_username"];
  const log = lines.join("");
  expect(lines.length).toBeGreaterThanOrEqual(3);
  expect(inLogs.filter((secret) => log.includes(secret))).toEqual([]);
  // The address book stores names as serialized Telegram objects, whose numbers may contain any five digits.
  const digits = new RegExp(`(?<!\\d)${code}(?!\\d)`);
  expect(never.filter((secret) => (secret === code ? digits.test(stored) : stored.includes(secret)))).toEqual([]);
  expect([PASSWORD, token, ...keys.flatMap(spellings)].filter((secret) => addressBook.includes(secret))).toEqual([]);
});
