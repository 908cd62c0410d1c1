import { randomBytes, randomInt } from "node:crypto";
import type { Long } from "@mtcute/core";
import { secretLong, unixTime, type World } from "./world.ts";

/** An authorization key and its logged-in account. */
export type AuthKey = {
  id: string;
  key: Uint8Array;
  dc_id: number;
  first_salt: Uint8Array;
  created_at: number;
  expires_at: number | null;
  permanent_id: string | null;
  user_id: number | null;
  password_user_id: number | null;
  /** the error for every call since the login was ended, such as SESSION_REVOKED */
  ended: string | null;
  layer: number;
  device_model: string | null;
  system_version: string | null;
  app_version: string | null;
  api_id: number | null;
  session_hash: string | null;
  signed_in_at: number | null;
  active_at: number | null;
};

export type LoginCode = { phone: string; code: string; hash: string; expires_at: number };
export type LoginToken = { token: string; key_id: string; dc_id: number; expires_at: number; user_id: number | null };

const CODE_LIFE_SECONDS = 300;
/** https://core.telegram.org/api/qr-login: tokens are short-lived and must be requested again. */
export const TOKEN_LIFE_SECONDS = 30;

export const keyById = (world: World, id: string): AuthKey | undefined =>
  world.store.get<AuthKey>("select * from auth_keys where id = ?", id);

export const keysOfUser = (world: World, userId: number): AuthKey[] =>
  world.store.all<AuthKey>("select * from auth_keys where user_id = ? order by signed_in_at, rowid", userId);

/** Logs the key in; the key of the home data centre is the session shown in Telegram's settings. */
export function signInKey(world: World, key: AuthKey, userId: number): void {
  const now = unixTime(world);
  const hash = secretLong(world, `session:${key.id}:${userId}:${now}`).toString();
  world.store.run(
    "update auth_keys set user_id = ?, password_user_id = null, ended = null, session_hash = ?, signed_in_at = ?, active_at = ? where id = ?",
    userId,
    hash,
    now,
    now,
    key.id,
  );
  world.store.afterCommit(() => world.changed());
}

/** Ends a key's login: all later calls get `error`, and its clients are disconnected. */
export function endLogin(world: World, keyId: string, error: string): void {
  world.store.run("update auth_keys set user_id = null, password_user_id = null, ended = ? where id = ?", error, keyId);
  world.store.afterCommit(() => {
    world.hub.pushToKey(keyId, { _: "updatesTooLong" });
    world.hub.disconnectKey(keyId);
    world.changed();
  });
}

export const sessionHash = (key: AuthKey): string => key.session_hash ?? "0";

export const hashEquals = (key: AuthKey, hash: Long): boolean => sessionHash(key) === hash.toString();

/** Creates a login code; the previous one becomes invalid. */
export function newLoginCode(world: World, phone: string): LoginCode {
  const code = {
    phone,
    code: String(randomInt(10_000, 100_000)),
    hash: randomBytes(9).toString("hex"),
    expires_at: unixTime(world) + CODE_LIFE_SECONDS,
  };
  world.store.run(
    "insert or replace into login_codes (phone, code, hash, expires_at) values (?, ?, ?, ?)",
    code.phone,
    code.code,
    code.hash,
    code.expires_at,
  );
  return code;
}

export const loginCode = (world: World, phone: string): LoginCode | undefined =>
  world.store.get<LoginCode>("select * from login_codes where phone = ?", phone);

export function forgetLoginCode(world: World, phone: string): void {
  world.store.run("delete from login_codes where phone = ?", phone);
}

export function newLoginToken(world: World, keyId: string, dcId: number): LoginToken {
  const { store } = world;
  const known = store.get<LoginToken>(
    "select * from login_tokens where key_id = ? and user_id is null and expires_at > ?",
    keyId,
    unixTime(world),
  );
  if (known !== undefined) return known;
  store.run("delete from login_tokens where key_id = ? or expires_at < ?", keyId, unixTime(world) - 3600);
  const token = {
    token: randomBytes(32).toString("hex"),
    key_id: keyId,
    dc_id: dcId,
    expires_at: unixTime(world) + TOKEN_LIFE_SECONDS,
    user_id: null,
  };
  store.run(
    "insert into login_tokens (token, key_id, dc_id, expires_at) values (?, ?, ?, ?)",
    token.token,
    token.key_id,
    token.dc_id,
    token.expires_at,
  );
  return token;
}

export const loginToken = (world: World, token: string): LoginToken | undefined =>
  world.store.get<LoginToken>("select * from login_tokens where token = ?", token);

export const acceptedToken = (world: World, keyId: string): LoginToken | undefined =>
  world.store.get<LoginToken>("select * from login_tokens where key_id = ? and user_id is not null", keyId);

export function acceptToken(world: World, token: LoginToken, userId: number): void {
  world.store.run("update login_tokens set user_id = ? where token = ?", userId, token.token);
  world.store.afterCommit(() => {
    world.hub.pushToKey(token.key_id, { _: "updateShort", update: { _: "updateLoginToken" }, date: unixTime(world) });
  });
}

export function forgetTokens(world: World, token: LoginToken): void {
  world.store.run("delete from login_tokens where token = ?", token.token);
}
