import type { tl } from "@mtcute/core";
import { RpcError, rpcError } from "../errors.ts";
import {
  endLogin,
  forgetLoginCode,
  loginCode,
  newLoginCode,
  keysOfUser,
  signInKey,
  type LoginCode,
  keyById,
} from "../world/logins.ts";
import { hasPassword } from "../world/password.ts";
import {
  SERVICE_USER_ID,
  accountById,
  accountByPhone,
  addAccount,
  normalisePhone,
  userFor,
  type Account,
} from "../world/people.ts";
import { receive } from "../world/sending.ts";
import { unixTime, type World } from "../world/world.ts";
import { self, type CallContext, type Handlers } from "./context.ts";
import { TlReader } from "../wire/tl-buffer.ts";
import { decryptOldMessage } from "../wire/crypto.ts";

/** Returns the account of a phone number. An unknown number gets an account, on the data centre that was asked first. */
function accountForLogin(world: World, phoneNumber: string, dcId: number): Account {
  const phone = normalisePhone(phoneNumber);
  if (phone === null) throw rpcError("PHONE_NUMBER_INVALID");
  const known = accountByPhone(world, phone);
  const account = known ?? addAccount(world, { first_name: "Seller", phone }, dcId);
  if (account.is_deleted) throw rpcError("PHONE_NUMBER_BANNED");
  if (account.dc_id !== dcId) throw rpcError(`PHONE_MIGRATE_${account.dc_id}`);
  return account;
}

/** Sends a code: as a Telegram message if the account is logged in elsewhere, otherwise by SMS. */
function sendCode(world: World, account: Account): tl.auth.RawSentCode {
  const phone = account.phone ?? "";
  const code = newLoginCode(world, phone);
  const byApp = keysOfUser(world, account.user_id).length > 0;
  if (byApp) {
    const text = `Login code: ${code.code}. Do not give this code to anyone, even if they say they are from Telegram!`;
    receive(world, account.user_id, { type: "user", id: SERVICE_USER_ID }, SERVICE_USER_ID, { text });
  }
  world.store.afterCommit(() => world.changed());
  return {
    _: "auth.sentCode",
    type: { _: byApp ? "auth.sentCodeTypeApp" : "auth.sentCodeTypeSms", length: code.code.length },
    phoneCodeHash: code.hash,
    timeout: 60,
    ...(byApp ? { nextType: { _: "auth.codeTypeSms" } } : {}),
  };
}

/** Returns the sent code, if the client has its hash and it has not expired. */
function liveCode(world: World, phoneNumber: string, hash: string): { code: LoginCode; account: Account } {
  const phone = normalisePhone(phoneNumber);
  if (phone === null) throw rpcError("PHONE_NUMBER_INVALID");
  const code = loginCode(world, phone);
  const account = accountByPhone(world, phone);
  if (account === undefined || code === undefined || code.hash !== hash) throw rpcError("PHONE_CODE_EXPIRED");
  if (code.expires_at <= unixTime(world)) throw rpcError("PHONE_CODE_EXPIRED");
  return { code, account };
}

/** Logs the calling key in, or asks for the password first. */
export function completeLogin(context: CallContext, account: Account): tl.auth.RawAuthorization {
  const { world, key } = context;
  if (hasPassword(account)) {
    world.store.run("update auth_keys set password_user_id = ? where id = ?", account.user_id, key.id);
    throw new RpcError(401, "SESSION_PASSWORD_NEEDED", { keepsEffects: true });
  }
  if (account.phone !== null) forgetLoginCode(world, account.phone);
  signInKey(world, key, account.user_id);
  return authorization(world, account);
}

export const authorization = (world: World, account: Account): tl.auth.RawAuthorization => ({
  _: "auth.authorization",
  user: userFor(world, account.user_id, account),
});

export const authMethods: Handlers = {
  "auth.sendCode": ({ world, dcId }, { phoneNumber, apiId, apiHash }) => {
    if (apiId <= 0 || apiHash === "") throw rpcError("API_ID_INVALID");
    return sendCode(world, accountForLogin(world, phoneNumber, dcId));
  },
  "auth.resendCode": ({ world }, { phoneNumber, phoneCodeHash }) =>
    sendCode(world, liveCode(world, phoneNumber, phoneCodeHash).account),
  "auth.cancelCode": ({ world }, { phoneNumber, phoneCodeHash }) => {
    const { code } = liveCode(world, phoneNumber, phoneCodeHash);
    forgetLoginCode(world, code.phone);
    return true;
  },
  "auth.signIn": (context, { phoneNumber, phoneCodeHash, phoneCode = "" }) => {
    const { world } = context;
    if (phoneCode === "") throw rpcError("PHONE_CODE_EMPTY");
    const { code, account } = liveCode(world, phoneNumber, phoneCodeHash);
    if (code.code !== phoneCode) throw rpcError("PHONE_CODE_INVALID");
    return completeLogin(context, account);
  },
  "auth.signUp": ({ world }, { phoneNumber, phoneCodeHash, firstName }) => {
    if (firstName === "") throw rpcError("FIRSTNAME_INVALID");
    liveCode(world, phoneNumber, phoneCodeHash);
    throw rpcError("PHONE_NUMBER_OCCUPIED");
  },
  "auth.checkPassword": ({ world, key, passwords }, { password }) => {
    const account = key.password_user_id === null ? undefined : accountById(world, key.password_user_id);
    if (account === undefined) throw rpcError("AUTH_KEY_UNREGISTERED");
    passwords.check(account, password);
    if (account.phone !== null) forgetLoginCode(world, account.phone);
    signInKey(world, key, account.user_id);
    return authorization(world, account);
  },
  "auth.logOut": ({ world, key }) => {
    world.store.run("update auth_keys set user_id = null, ended = null where id = ?", key.id);
    world.store.afterCommit(() => world.changed());
    return { _: "auth.loggedOut" };
  },
  "auth.resetAuthorizations": (context) => {
    const others = keysOfUser(context.world, self(context).user_id).filter(({ id }) => id !== context.key.id);
    for (const { id } of others) endLogin(context.world, id, "SESSION_REVOKED");
    return true;
  },
  "auth.bindTempAuthKey": bindTemporaryKey,
};

const INNER_LENGTH = 40;

/** Binds a temporary key to a permanent one (https://core.telegram.org/method/auth.bindTempAuthKey). */
function bindTemporaryKey(context: CallContext, request: tl.auth.RawBindTempAuthKeyRequest): true {
  const { world, wireKey, sessionId, dcId } = context;
  if (wireKey.expires_at === null) throw rpcError("TEMP_AUTH_KEY_EMPTY");
  const permanentId = Buffer.from(request.permAuthKeyId.toBytesLE()).toString("hex");
  const permanent = keyById(world, permanentId);
  if (permanent === undefined || permanent.expires_at !== null || permanent.dc_id !== dcId) {
    throw rpcError("ENCRYPTED_MESSAGE_INVALID");
  }
  if (wireKey.permanent_id !== null && wireKey.permanent_id !== permanentId)
    throw rpcError("TEMP_AUTH_KEY_ALREADY_BOUND");
  const plain = decryptOldMessage(Buffer.from(permanent.key), request.encryptedMessage, 32 + INNER_LENGTH);
  if (plain === null) throw rpcError("ENCRYPTED_MESSAGE_INVALID");
  const reader = new TlReader(plain, 32 + 4);
  const fits =
    reader.long().eq(request.nonce) &&
    reader.raw(8).toString("hex") === wireKey.id &&
    reader.raw(8).toString("hex") === permanentId &&
    reader.raw(8).equals(sessionId) &&
    reader.int() === request.expiresAt;
  if (!fits) throw rpcError("ENCRYPTED_MESSAGE_INVALID");
  world.store.run("update auth_keys set permanent_id = ? where id = ?", permanentId, wireKey.id);
  return true;
}
