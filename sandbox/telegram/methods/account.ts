import { Long, type tl } from "@mtcute/core";
import { rpcError } from "../errors.ts";
import { endLogin, hashEquals, keysOfUser, sessionHash, type AuthKey } from "../world/logins.ts";
import { accountById } from "../world/people.ts";
import { self, type Handlers } from "./context.ts";

/** A session as shown in Telegram's settings; the calling one has hash 0. */
export function authorizationOf(key: AuthKey, currentKeyId: string): tl.RawAuthorization {
  const current = key.id === currentKeyId;
  return {
    _: "authorization",
    current,
    officialApp: false,
    hash: current ? Long.ZERO : Long.fromString(sessionHash(key)),
    deviceModel: key.device_model ?? "",
    platform: "",
    systemVersion: key.system_version ?? "",
    apiId: key.api_id ?? 0,
    appName: "Leadloom",
    appVersion: key.app_version ?? "",
    dateCreated: key.signed_in_at ?? key.created_at,
    dateActive: key.active_at ?? key.created_at,
    ip: "127.0.0.1",
    country: "",
    region: "",
  };
}

export const accountMethods: Handlers = {
  "account.getPassword": ({ world, key, passwords }) => {
    const userId = key.user_id ?? key.password_user_id;
    const account = userId === null ? undefined : accountById(world, userId);
    if (account === undefined) throw rpcError("AUTH_KEY_UNREGISTERED");
    return passwords.describe(account);
  },
  "account.getAuthorizations": (context) => {
    const account = self(context);
    const keys = keysOfUser(context.world, account.user_id).filter((key) => key.dc_id === account.dc_id);
    return {
      _: "account.authorizations",
      authorizationTtlDays: 180,
      authorizations: keys.map((key) => authorizationOf(key, context.key.id)),
    };
  },
  "account.resetAuthorization": (context, { hash }) => {
    const key = keysOfUser(context.world, self(context).user_id).find((other) => hashEquals(other, hash));
    if (key === undefined || key.id === context.key.id) throw rpcError("HASH_INVALID");
    endLogin(context.world, key.id, "SESSION_REVOKED");
    return true;
  },
  "account.updateStatus": () => true,
};
