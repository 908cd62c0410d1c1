import { expect, test } from "vitest";
import type { Bus } from "../../../server/core/bus.ts";
import { createVault } from "../../../server/core/vault.ts";
import { createWork } from "../../../server/core/work.ts";
import { createForwarding } from "../../../server/telegram/login/forwarding.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";
import { CONNECTED, PHONE, refusedAs, startTelegram } from "./support.ts";

test("completes a login with password through another process", async () => {
  const telegram = await startTelegram();
  const [first, second] = [telegram, await telegram.another()];
  const user = await telegram.newUser();
  telegram.network.createAccount({ phone: PHONE, password: "open sesame", hint: "forty thieves" });
  await first.call(user, "POST", "send-code", { phone: PHONE });
  const code = telegram.network.account(PHONE).login_code ?? "";
  const verify = (guess: string) => second.call(user, "POST", "verify-code", { phone: PHONE, code: guess });
  const unlock = (password: string) => second.call(user, "POST", "verify-password", { password });
  expect(await verify(code === "11111" ? "22222" : "11111")).toMatchObject(refusedAs("code_invalid"));
  expect(await verify(code)).toMatchObject({ status: 200, body: { "2fa_required": true, hint: "forty thieves" } });
  const message = "That password is not right. Its hint is: forty thieves.";
  expect(await unlock("open barley")).toMatchObject({ status: 422, body: { code: "password_invalid", message } });
  expect(await unlock("open sesame")).toMatchObject(CONNECTED);
  expect(await first.call(user, "GET", "status")).toMatchObject({ body: { connected: true } });
});

test("waits in one process for a QR code that another process started", async () => {
  const telegram = await startTelegram();
  const second = await telegram.another();
  const user = await telegram.newUser();
  telegram.network.createAccount({ phone: PHONE });
  const started = await telegram.call(user, "POST", "qr-start");
  const shown = await second.call(user, "GET", "qr");
  expect(shown.body["qr_url"]).toBe(started.body["qr_url"]);
  const complete = second.call(user, "POST", "qr-complete", { timeout_sec: 120 });
  await telegram.idle();
  await telegram.network.scan(PHONE, String(started.body["qr_url"]));
  expect(await complete).toMatchObject(CONNECTED);
});

test("replaces or cancels an attempt in another process", async () => {
  const telegram = await startTelegram();
  const second = await telegram.another();
  const user = await telegram.newUser();
  await telegram.call(user, "POST", "qr-start");
  const waiting = telegram.call(user, "POST", "qr-complete", { timeout_sec: 120 });
  await telegram.idle();
  const replaced = await second.call(user, "POST", "qr-start");
  expect(await waiting).toMatchObject(refusedAs("login_expired"));
  expect((await telegram.call(user, "GET", "qr")).body["qr_url"]).toBe(replaced.body["qr_url"]);

  const again = second.call(user, "POST", "qr-complete", { timeout_sec: 120 });
  await telegram.idle();
  await telegram.call(user, "POST", "qr-cancel");
  expect(await again).toMatchObject(refusedAs("login_expired"));
});

test("expires an attempt whose process is gone", async () => {
  const telegram = await startTelegram();
  const second = await telegram.another();
  const user = await telegram.newUser();
  await second.call(user, "POST", "send-code", { phone: PHONE });
  const row = await telegram.deps.db.selectFrom("telegram_login_attempts").selectAll().executeTakeFirstOrThrow();
  await second.app.close();
  await telegram.deps.db.insertInto("telegram_login_attempts").values(row).execute();
  const code = telegram.network.account(PHONE).login_code;
  expect(await telegram.call(user, "POST", "verify-code", { phone: PHONE, code })).toMatchObject(
    refusedAs("login_expired"),
  );
});

test("encrypts codes and passwords between processes", async () => {
  const telegram = await startTelegram();
  const second = await telegram.another();
  const user = await telegram.newUser();
  const payloads: string[] = [];
  await telegram.deps.engine.listen("leadloom", (payload) => payloads.push(payload));
  await telegram.call(user, "POST", "send-code", { phone: PHONE });
  const code = telegram.network.account(PHONE).login_code ?? "";
  await second.call(user, "POST", "verify-code", { phone: PHONE, code });
  await telegram.idle();
  expect(payloads.filter((payload) => payload.includes("telegram.attempt")).length).toBeGreaterThanOrEqual(3);
  expect(payloads.join("\n")).not.toContain(code);
  expect(payloads.join("\n")).not.toContain(PHONE);
});

test("gives another process its time when the database is slow to pass a command on", async () => {
  const work = createWork();
  const clock = createVirtualClock(work);
  const passedOn = Promise.withResolvers<void>();
  const bus = { on: () => () => {}, publish: () => passedOn.promise } as unknown as Bus;
  const local = { has: () => false, run: () => Promise.reject(new Error()), close: async () => {} };
  const vault = createVault([{ version: 1, key: Buffer.alloc(32) }]);
  const { run } = createForwarding({ bus, clock, work }, vault, local, () => {});
  const begun = clock.now();
  const answer = run("attempt", { name: "qr-url" }, new AbortController().signal);
  await clock.pass(10_000);
  passedOn.resolve();
  await expect(clock.passWhile(answer)).rejects.toMatchObject({ code: "login_expired" });
  expect(clock.now() - begun).toBe(13_000);
});
