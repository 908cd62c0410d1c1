import { msg } from "@lingui/core/runtime-macro";
import { afterAll, expect, test } from "vitest";
import { openLanguages } from "../../../server/core/languages.ts";
import { freshEmail, PASSWORD } from "../../support/auth-server.ts";
import { startMailbox } from "../../support/mailbox.ts";
import { addRow, rowOf } from "../../support/rows.ts";
import { ownAuthServer } from "../../support/servers.ts";

const subject = msg`Confirm your e-mail for Leadloom`;
const languages = openLanguages();
const confirm = { id: languages.write(subject, "id"), es: languages.write(subject, "es") };

const mailbox = await startMailbox();
const server = await ownAuthServer({ env: { SMTP_URL: mailbox.url } });

afterAll(() => mailbox.stop());

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
  expect(new Set(["Confirm your e-mail for Leadloom", ...Object.values(confirm)]).size).toBe(3);
  const email = freshEmail();
  expect(await post("signup", email, "de, es-MX;q=0.8")).toBe(confirm.es);
  expect(await post("signup", freshEmail(), "de")).toBe("Confirm your e-mail for Leadloom");
  const { id } = await rowOf(server.deps.db, "auth.users", { email }, ["id"]);
  await addRow(server.deps.db, "user_settings", { user_id: id, language: "id" });
  server.clock.advance(61);
  expect(await post("resend", email, "es")).toBe(confirm.id);
});
