import { TlReader } from "../wire/tl-buffer.ts";
import { decryptOldMessage } from "../wire/crypto.ts";
import { rpcError } from "../errors.ts";
import { keyById } from "../world/logins.ts";
import type { tl } from "@mtcute/core";
import type { CallContext } from "./context.ts";

const INNER_LENGTH = 40;

/** Lets a temporary key act for a permanent one (https://core.telegram.org/method/auth.bindTempAuthKey). */
export function bindTemporaryKey(context: CallContext, request: tl.auth.RawBindTempAuthKeyRequest): true {
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
