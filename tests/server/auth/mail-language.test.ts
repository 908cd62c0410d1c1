import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { openLanguages } from "../../../server/core/languages.ts";
import { freshEmail, PASSWORD } from "../../support/auth-server.ts";
import { startMailbox } from "../../support/mailbox.ts";
import { ownAuthServer } from "../../support/servers.ts";

vi.mock(import("../../../server/core/languages.ts"), async (importReal) => {
  const real = await importReal();
  return { ...real, openLanguages: vi.fn<typeof openLanguages>(real.openLanguages) };
});

const folder = mkdtempSync(path.join(os.tmpdir(), "leadloom-mails-"));
const confirm = { id: "Konfirmasi email Anda", es: "Confirma tu correo" };
for (const [locale, subject] of Object.entries(confirm)) {
  mkdirSync(path.join(folder, locale));
  writeFileSync(
    path.join(folder, locale, "server.po"),
    `msgid "Confirm your e-mail for Leadloom"\nmsgstr "${subject}"\n`,
  );
}
const { openLanguages: real } = await vi.importActual<{ openLanguages: typeof openLanguages }>(
  "../../../server/core/languages.ts",
);
vi.mocked(openLanguages).mockImplementation(() => real(folder));

const mailbox = await startMailbox();
const server = await ownAuthServer({ env: { SMTP_URL: mailbox.url } });

afterAll(async () => {
  await mailbox.stop();
  rmSync(folder, { recursive: true });
});

const post = async (call: string, email: string, language: string) => {
  await fetch(`${server.url}/auth/v1/${call}`, {
    method: "POST",
    headers: { "content-type": "application/json", "accept-language": language },
    body: JSON.stringify({ email, password: PASSWORD, type: "signup" }),
  });
  await server.idle();
  return mailbox.received.filter(({ to }) => to === email).at(-1)?.subject;
};

test("writes a mail in the browser's language, and in the language that the user has chosen", async () => {
  const email = freshEmail();
  expect(await post("signup", email, "de, es-MX;q=0.8")).toBe(confirm.es);
  expect(await post("signup", freshEmail(), "de")).toBe("Confirm your e-mail for Leadloom");
  const { id } = await server.deps.db
    .selectFrom("auth.users")
    .select("id")
    .where("email", "=", email)
    .executeTakeFirstOrThrow();
  await server.deps.db.insertInto("user_settings").values({ user_id: id, language: "id" }).execute();
  server.clock.advance(61);
  expect(await post("resend", email, "es")).toBe(confirm.id);
});
