import { expect, test } from "vitest";
import { sweepSessions } from "../../../server/auth/sessions.ts";
import { signUp } from "../../support/auth-server.ts";
import { ownAuthServer } from "../../support/servers.ts";

const server = await ownAuthServer();

type Answer = { access_token?: string; refresh_token?: string; error_code?: string };
const refresh = async (token: string): Promise<Answer> => {
  const response = await fetch(`${server.url}/auth/v1/token?grant_type=refresh_token`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ refresh_token: token }),
  });
  return (await response.json()) as Answer;
};

test("twenty tabs that refresh at once all stay signed in and hold the same token", async () => {
  const { session } = await signUp(server);
  const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(session.refresh_token)));
  expect(answers.map(({ error_code }) => error_code)).toEqual(answers.map(() => undefined));
  expect(new Set(answers.map(({ refresh_token }) => refresh_token)).size).toBe(1);
  expect((await refresh(answers[0]?.refresh_token ?? "")).error_code).toBeUndefined();
});

test("a used token is taken again for ten seconds and not a moment longer", async () => {
  const { session } = await signUp(server);
  await refresh(session.refresh_token);
  server.clock.advance(9);
  expect((await refresh(session.refresh_token)).error_code).toBeUndefined();
  server.clock.advance(2);
  expect((await refresh(session.refresh_token)).error_code).toBe("refresh_token_already_used");
});

test("a stolen token that is used late ends the whole session, for the thief and the owner", async () => {
  const { session } = await signUp(server);
  const owners = await refresh(session.refresh_token);
  expect(await server.authenticate(`Bearer ${owners.access_token}`)).toBeTruthy();
  server.clock.advance(60);
  expect((await refresh(session.refresh_token)).error_code).toBe("refresh_token_already_used");
  expect((await refresh(owners.refresh_token ?? "")).error_code).toBe("refresh_token_not_found");
  await expect(server.authenticate(`Bearer ${owners.access_token}`)).rejects.toMatchObject({
    code: "session_not_found",
  });
});

test("a forged refresh token is refused without ending anything", async () => {
  const { session } = await signUp(server);
  const bytes = Buffer.from(session.refresh_token, "base64url");
  const forgeries = Array.from({ length: bytes.length }, (_, index) => {
    const copy = Buffer.from(bytes);
    copy[index] = (copy[index] ?? 0) ^ 1;
    return copy.toString("base64url");
  });
  for (const forged of [...forgeries, "", "x", session.access_token, `${session.refresh_token}=`]) {
    expect((await refresh(forged)).error_code).toBe(forged === "" ? "validation_failed" : "refresh_token_not_found");
  }
  expect((await refresh(session.refresh_token)).error_code).toBeUndefined();
});

test("a session nobody comes back to for sixty days is over and forgotten", async () => {
  const { session, userId } = await signUp(server);
  server.clock.advance(60 * 86_400 + 1);
  expect((await refresh(session.refresh_token)).error_code).toBe("refresh_token_not_found");
  await sweepSessions(server.deps);
  const left = await server.deps.db.selectFrom("auth.sessions").select("id").where("user_id", "=", userId).execute();
  expect(left).toEqual([]);
});

test("no token is kept in the database", async () => {
  const { session, userId } = await signUp(server);
  const { refresh_token: next = "" } = await refresh(session.refresh_token);
  const rows = await server.deps.db.selectFrom("auth.sessions").selectAll().where("user_id", "=", userId).execute();
  const stored = JSON.stringify(rows);
  expect(stored).toContain(rows[0]?.id);
  for (const secret of [session.access_token, session.refresh_token, next]) expect(stored).not.toContain(secret);
});
