import { msg } from "@lingui/core/runtime-macro";
import { afterAll, expect, test } from "vitest";
import { openLanguages } from "../../../server/core/languages.ts";
import { freshEmail, ownAuthServer, PASSWORD } from "../../support/auth-server.ts";
import { startMailbox } from "../../support/mailbox.ts";
import { addRow, refuseWrites, rowOf, rowsOf } from "../../support/rows.ts";

const PUBLIC_URL = "https://leads.example.com";
const mailbox = await startMailbox();
const server = await ownAuthServer({ env: { SMTP_URL: mailbox.url, PUBLIC_URL } });

afterAll(() => mailbox.stop());

const signUp = (email: string, password = PASSWORD) =>
  server
    .client()
    .auth.signUp({ email, password, options: { data: { name: "Ann Lee" }, emailRedirectTo: `${PUBLIC_URL}/login` } });
const signIn = (email: string, password = PASSWORD) => server.client().auth.signInWithPassword({ email, password });
const mailTo = async (email: string, count = 1) => {
  await server.idle();
  const mails = mailbox.received.filter(({ to }) => to === email);
  expect(mails).toHaveLength(count);
  const mail = mails[count - 1];
  if (mail === undefined) throw new Error("no mail");
  return mail;
};
/** Follows the link of a mail. Returns the page it leads to and the parameters after the #. */
const click = async (link: string) => {
  const { pathname, search } = new URL(link);
  const response = await fetch(`${server.url}${pathname}${search}`, { redirect: "manual" });
  const target = new URL(response.headers.get("location") ?? "");
  return {
    status: response.status,
    page: target.origin + target.pathname,
    ...Object.fromEntries(new URLSearchParams(target.hash.slice(1))),
  } as { status: number; page: string } & Record<string, string>;
};

/** Signs up and follows the link. @returns the signed-in client, and where the link led */
const confirmed = async (email: string) => {
  await signUp(email);
  return signedIn((await mailTo(email)).link);
};
const signedIn = async (link: string) => {
  const landed = await click(link);
  const client = server.client();
  await client.auth.setSession({
    access_token: landed["access_token"] ?? "",
    refresh_token: landed["refresh_token"] ?? "",
  });
  return { landed, client };
};
const expired = { page: `${PUBLIC_URL}/login`, error: "access_denied", error_code: "otp_expired" };

test("confirms a sign-up by a link that signs in once, within a day", async () => {
  const email = freshEmail();
  const { data, error } = await signUp(email);
  expect([error, data.session, data.user?.email]).toEqual([null, null, email]);
  expect((await signIn(email)).error).toMatchObject({ status: 400, code: "email_not_confirmed" });
  const mail = await mailTo(email);
  expect(mail.subject).toBe("Confirm your e-mail for Leadloom");
  expect(mail.link.startsWith(`${PUBLIC_URL}/auth/v1/verify?`)).toBe(true);
  // Mail scanners send a HEAD request to links.
  const { pathname, search } = new URL(mail.link);
  await fetch(`${server.url}${pathname}${search}`, { method: "HEAD", redirect: "manual" });
  const landed = await click(mail.link);
  expect(landed).toMatchObject({ status: 303, page: `${PUBLIC_URL}/login`, token_type: "bearer", type: "signup" });
  const id = data.user?.id ?? "";
  expect(await server.authenticate(`Bearer ${landed["access_token"]}`)).toMatchObject({ id, email });
  expect((await signIn(email)).data.user?.id).toBe(id);
  expect(await rowsOf(server.deps.db, "users", { id })).toMatchObject([{ email, name: "Ann Lee" }]);
  expect(await click(mail.link)).toMatchObject(expired);

  const late = freshEmail();
  await signUp(late);
  const { link } = await mailTo(late);
  server.clock.advance(86_401);
  expect(await click(link)).toMatchObject(expired);
});

test("never redirects a link to another origin", async () => {
  const email = freshEmail();
  await server
    .client()
    .auth.signUp({ email, password: PASSWORD, options: { emailRedirectTo: "https://evil.example/x" } });
  const { link } = await mailTo(email);
  const forged = new URL(link);
  forged.searchParams.set("redirect_to", "https://evil.example/x");
  expect((await click(forged.href)).page).toBe(`${PUBLIC_URL}/`);
});

test("sends a new link on a repeated sign-up, and accepts only the latest", async () => {
  const email = freshEmail();
  await signUp(email, "the first password");
  const first = await mailTo(email);
  server.clock.advance(61);
  await signUp(email, "the second password");
  const second = await mailTo(email, 2);
  expect((await click(first.link))["error_code"]).toBe("otp_expired");
  expect((await click(second.link))["type"]).toBe("signup");
  expect((await signIn(email, "the first password")).error?.code).toBe("invalid_credentials");
  expect((await signIn(email, "the second password")).error).toBeNull();
});

test("reveals nothing on a sign-up with a taken address, and mails its owner", async () => {
  const email = freshEmail();
  const { landed } = await confirmed(email);
  server.clock.advance(61);
  const { data, error } = await signUp(email, "an attacker's password");
  expect([error, data.session, data.user?.email, data.user?.identities]).toEqual([null, null, email, []]);
  const { id } = await server.authenticate(`Bearer ${landed["access_token"]}`);
  expect(data.user?.id).not.toBe(id);
  expect((await mailTo(email, 2)).subject).toBe("You already have a Leadloom account");
  expect((await signIn(email)).error).toBeNull();
});

test("resets a password by a link that works once, for an hour", async () => {
  const email = freshEmail();
  await confirmed(email);
  server.clock.advance(61);
  const reset = await server.client().auth.resetPasswordForEmail(email, { redirectTo: `${PUBLIC_URL}/reset-password` });
  expect(reset.error).toBeNull();
  const mail = await mailTo(email, 2);
  expect(mail.subject).toBe("Choose a new Leadloom password");
  const { landed, client } = await signedIn(mail.link);
  expect(landed).toMatchObject({ page: `${PUBLIC_URL}/reset-password`, type: "recovery" });
  expect((await client.auth.updateUser({ password: "a better horse" })).error).toBeNull();
  expect((await signIn(email)).error?.code).toBe("invalid_credentials");
  expect((await signIn(email, "a better horse")).error).toBeNull();
  server.clock.advance(61);
  await server.client().auth.resetPasswordForEmail(email);
  const late = await mailTo(email, 3);
  server.clock.advance(3_601);
  expect((await click(late.link))["error_code"]).toBe("otp_expired");
});

test("responds to a password reset the same for an unknown address, once a minute", async () => {
  const email = freshEmail("nobody");
  const first = await server.client().auth.resetPasswordForEmail(email);
  expect([first.error, first.data]).toEqual([null, {}]);
  const second = await server.client().auth.resetPasswordForEmail(email);
  expect(second.error).toMatchObject({ status: 429, code: "over_request_rate_limit" });
  server.clock.advance(61);
  expect((await server.client().auth.resetPasswordForEmail(email)).error).toBeNull();
  expect(mailbox.received.filter(({ to }) => to === email)).toEqual([]);
});

test("refuses earlier links after a password change", async () => {
  const [email, other] = [freshEmail(), freshEmail("intruder")];
  const { client } = await confirmed(email);
  server.clock.advance(61);
  expect((await client.auth.updateUser({ email: other })).error).toBeNull();
  await server.client().auth.resetPasswordForEmail(email);
  const links = [(await mailTo(other)).link, (await mailTo(email, 2)).link];
  expect((await client.auth.updateUser({ password: "a better horse" })).error).toBeNull();
  for (const link of links) expect((await click(link))["error_code"]).toBe("otp_expired");
  expect((await signIn(email, "a better horse")).error).toBeNull();
});

test("accepts the link to an address that was changed together with the password", async () => {
  const [old, fresh] = [freshEmail(), freshEmail("new")];
  const { client } = await confirmed(old);
  expect((await client.auth.updateUser({ email: fresh, password: "a better horse" })).error).toBeNull();
  expect((await click((await mailTo(fresh)).link))["type"]).toBe("email_change");
  expect((await signIn(fresh, "a better horse")).error).toBeNull();
});

test("changes the address when its owner follows the link, and voids older links", async () => {
  const [old, fresh] = [freshEmail(), freshEmail("new")];
  const { client } = await confirmed(old);
  server.clock.advance(61);
  await server.client().auth.resetPasswordForEmail(old);
  const { link } = await mailTo(old, 2);
  expect((await client.auth.updateUser({ email: fresh })).data.user?.email).toBe(old);
  expect((await signIn(fresh)).error?.code).toBe("invalid_credentials");
  expect((await click((await mailTo(fresh)).link))["type"]).toBe("email_change");
  expect((await signIn(fresh)).data.user?.email).toBe(fresh);
  expect((await click(link))["error_code"]).toBe("otp_expired");
});

test("accepts a link when its first use failed", async () => {
  const email = freshEmail();
  await signUp(email);
  const { link } = await mailTo(email);
  const { pathname, search } = new URL(link);
  const accept = await refuseWrites(server.deps.db, "insert", "auth.sessions");
  expect((await fetch(`${server.url}${pathname}${search}`, { redirect: "manual" })).status).toBe(500);
  await accept();
  expect((await click(link))["type"]).toBe("signup");
});

test("reports a refusal of the mail server, and allows a retry", async () => {
  const email = freshEmail();
  mailbox.refuse(true);
  const refused = await signUp(email);
  const message = "The confirmation e-mail could not be sent. Try again in a minute.";
  expect(refused.error).toMatchObject({ status: 503, message });
  mailbox.refuse(false);
  expect((await signUp(email)).error).toBeNull();
  expect((await click((await mailTo(email)).link))["type"]).toBe("signup");
});

test("writes an email in the user's language, or else in the browser's", async () => {
  const english = "Confirm your e-mail for Leadloom";
  const languages = openLanguages();
  const [indonesian, spanish] = (["id", "es"] as const).map((language) =>
    languages.write(msg`Confirm your e-mail for Leadloom`, language),
  );
  expect(new Set([english, indonesian, spanish]).size).toBe(3);
  const subjectOf = async (call: string, email: string, language: string) => {
    await server.post(`/${call}`, { email, password: PASSWORD, type: "signup" }, { "accept-language": language });
    await server.idle();
    return mailbox.received.filter(({ to }) => to === email).at(-1)?.subject;
  };
  const email = freshEmail();
  expect(await subjectOf("signup", email, "de, es-MX;q=0.8")).toBe(spanish);
  expect(await subjectOf("signup", freshEmail(), "de")).toBe(english);
  const { id } = await rowOf(server.deps.db, "auth.users", { email }, ["id"]);
  await addRow(server.deps.db, "user_settings", { user_id: id, language: "id" });
  server.clock.advance(61);
  expect(await subjectOf("resend", email, "es")).toBe(indonesian);
});
