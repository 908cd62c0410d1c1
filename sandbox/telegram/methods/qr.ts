import { randomBytes } from "node:crypto";
import { Long, type tl } from "@mtcute/core";
import { rpcError } from "../errors.ts";
import {
  TOKEN_LIFE_SECONDS,
  acceptToken,
  acceptedToken,
  forgetTokens,
  keyById,
  loginToken,
  newLoginToken,
  signInKey,
  type AuthKey,
  type LoginToken,
} from "../world/logins.ts";
import { accountById, type Account } from "../world/people.ts";
import { unixTime, type World } from "../world/world.ts";
import { authorization, completeLogin } from "./auth.ts";
import { self, type CallContext, type Handlers } from "./context.ts";
import { authorizationOf } from "./account.ts";

const EXPORT_LIFE_SECONDS = 60;

/** Returns a QR login token, if its 30 seconds are not over (https://core.telegram.org/api/qr-login). */
function liveToken(world: World, token: Uint8Array): LoginToken {
  const known = loginToken(world, Buffer.from(token).toString("hex"));
  if (known === undefined) throw rpcError("AUTH_TOKEN_INVALID");
  if (known.user_id !== null) throw rpcError("AUTH_TOKEN_ALREADY_ACCEPTED");
  if (known.expires_at <= unixTime(world)) throw rpcError("AUTH_TOKEN_EXPIRED");
  return known;
}

/** The account's phone approves a login token. */
export function acceptLogin(world: World, account: Account, token: Uint8Array): AuthKey {
  const live = liveToken(world, token);
  const key = keyById(world, live.key_id);
  if (key === undefined) throw rpcError("AUTH_TOKEN_INVALID");
  acceptToken(world, live, account.user_id);
  return key;
}

/** Clients measure the token's life by their own clock, so its end is given in real time even if the sandbox's clock was moved. */
function clientTime(world: World, token: LoginToken): number {
  const left = Math.min(TOKEN_LIFE_SECONDS, token.expires_at - unixTime(world));
  return Math.floor(world.clock.wall() / 1000) + left;
}

function finish(context: CallContext, token: LoginToken, account: Account): tl.auth.RawLoginTokenSuccess {
  forgetTokens(context.world, token);
  return { _: "auth.loginTokenSuccess", authorization: completeLogin(context, account) };
}

export const qrMethods: Handlers = {
  "auth.exportLoginToken": (context, { exceptIds }) => {
    const { world, key, dcId } = context;
    const accepted = acceptedToken(world, key.id);
    const account = accepted?.user_id ? accountById(world, accepted.user_id) : undefined;
    if (accepted === undefined || account === undefined || exceptIds.some((id) => id.toNumber() === account.user_id)) {
      const token = newLoginToken(world, key.id, dcId);
      return { _: "auth.loginToken", expires: clientTime(world, token), token: Buffer.from(token.token, "hex") };
    }
    if (account.dc_id === dcId) return finish(context, accepted, account);
    return { _: "auth.loginTokenMigrateTo", dcId: account.dc_id, token: Buffer.from(accepted.token, "hex") };
  },
  "auth.importLoginToken": (context, { token }) => {
    const { world } = context;
    const known = loginToken(world, Buffer.from(token).toString("hex"));
    if (known === undefined) throw rpcError("AUTH_TOKEN_INVALID");
    const account = known.user_id === null ? undefined : accountById(world, known.user_id);
    if (account === undefined) throw rpcError("AUTH_TOKEN_EXPIRED");
    if (account.dc_id !== context.dcId) {
      return { _: "auth.loginTokenMigrateTo", dcId: account.dc_id, token: Buffer.from(token) };
    }
    return finish(context, known, account);
  },
  "auth.acceptLoginToken": (context, { token }) => {
    const key = acceptLogin(context.world, self(context), token);
    return authorizationOf(key, context.key.id);
  },
  "auth.exportAuthorization": (context, { dcId }) => {
    const { world } = context;
    if (!world.dcs.some((dc) => dc.id === dcId)) throw rpcError("DC_ID_INVALID");
    const bytes = randomBytes(32);
    const account = self(context);
    world.store.run(
      "insert into exported_authorizations (id, bytes, user_id, dc_id, expires_at) values (?, ?, ?, ?, ?) on conflict (id) do update set bytes = excluded.bytes, dc_id = excluded.dc_id, expires_at = excluded.expires_at",
      account.user_id,
      bytes,
      account.user_id,
      dcId,
      unixTime(world) + EXPORT_LIFE_SECONDS,
    );
    return { _: "auth.exportedAuthorization", id: Long.fromNumber(account.user_id), bytes };
  },
  "auth.importAuthorization": ({ world, key, dcId }, { id, bytes }) => {
    const exported = world.store.get<{ bytes: Uint8Array; user_id: number; dc_id: number; expires_at: number }>(
      "select * from exported_authorizations where id = ?",
      id.toNumber(),
    );
    const account = exported === undefined ? undefined : accountById(world, exported.user_id);
    const fits =
      exported?.dc_id === dcId && Buffer.from(exported.bytes).equals(bytes) && exported.expires_at > unixTime(world);
    if (account === undefined || !fits) throw rpcError("AUTH_BYTES_INVALID");
    world.store.run("delete from exported_authorizations where id = ?", account.user_id);
    signInKey(world, key, account.user_id);
    return authorization(world, account);
  },
};
