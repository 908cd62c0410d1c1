import type { tl } from "@mtcute/core";
import { RpcError, rpcError } from "./errors.ts";
import { handlers } from "./methods/index.ts";
import type { CallContext } from "./methods/context.ts";
import { beginWait, checkWaits, takeFault } from "./world/faults.ts";
import { accountById, accountByPhone, normalisePhone } from "./world/people.ts";
import { markedId, type World } from "./world/world.ts";
import type { TlObject } from "./wire/tl.ts";

/** The outcome of a call: a result, an error, or a connection that closes or goes silent before either. */
export type Outcome =
  | { kind: "result"; value: unknown }
  | { kind: "error"; error: RpcError }
  | { kind: "drop-connection" }
  | { kind: "half-open" };

/** Calls that need no login (https://core.telegram.org/api/auth). */
const WITHOUT_LOGIN = new Set([
  "account.getPassword",
  "auth.bindTempAuthKey",
  "auth.cancelCode",
  "auth.checkPassword",
  "auth.exportLoginToken",
  "auth.importAuthorization",
  "auth.importLoginToken",
  "auth.resendCode",
  "auth.sendCode",
  "auth.signIn",
  "auth.signUp",
]);
const needsLogin = (method: string): boolean => !WITHOUT_LOGIN.has(method) && !method.startsWith("help.");

/** Calls that a data centre also answers for accounts of another one. */
const ANYWHERE = new Set(["auth.logOut", "auth.exportAuthorization", "upload.getFile"]);

/** Returns the marked id of the call's user or group, without checking access hashes. */
function targetOf(call: TlObject, selfId: number): number | null {
  const peer = (call["peer"] ?? call["userId"] ?? call["channel"] ?? call["id"]) as tl.TypeInputPeer | undefined;
  switch (peer?._) {
    case "inputPeerSelf":
      return selfId;
    case "inputPeerUser":
    case "inputPeerUserFromMessage":
      return peer.userId;
    case "inputPeerChat":
      return markedId({ type: "chat", id: peer.chatId });
    case "inputPeerChannel":
    case "inputPeerChannelFromMessage":
      return markedId({ type: "channel", id: peer.channelId });
    default:
      return (peer as { userId?: number } | undefined)?.userId ?? null;
  }
}

/** Returns whose faults apply to a call: the logged-in account's, or that of the password or phone number. */
function findAccountForFaults(context: CallContext, call: TlObject): number | null {
  const { world, key } = context;
  const phone = typeof call["phoneNumber"] === "string" ? normalisePhone(call["phoneNumber"]) : null;
  const named = phone === null ? undefined : accountByPhone(world, phone);
  return key.user_id ?? named?.user_id ?? key.password_user_id;
}

function checkLogin({ world, key, dcId }: CallContext, method: string): void {
  if (!needsLogin(method)) return;
  if (key.user_id === null) throw rpcError(key.ended ?? "AUTH_KEY_UNREGISTERED");
  const account = accountById(world, key.user_id);
  if (account === undefined || account.is_deleted) throw rpcError("USER_DEACTIVATED");
  if (account.dc_id !== dcId && !ANYWHERE.has(method) && !method.startsWith("upload.")) {
    throw rpcError(`USER_MIGRATE_${account.dc_id}`);
  }
}

const SLOW = /^SLOW_(\d+)$/;

/** Executes calls, each in one transaction, so that its effect is complete or absent. */
export class Dispatcher {
  readonly #world: World;
  readonly #running = new Set<string>();

  constructor(world: World) {
    this.#world = world;
  }

  async dispatch(context: CallContext, call: TlObject): Promise<Outcome> {
    try {
      return await this.#answer(context, call);
    } catch (error) {
      if (error instanceof RpcError) return { kind: "error", error };
      this.#world.logger.warn({ method: call._, error }, "a call failed inside the simulated network");
      return { kind: "error", error: new RpcError(500, "INTERNAL_SERVER_ERROR") };
    }
  }

  async #answer(context: CallContext, call: TlObject): Promise<Outcome> {
    const world = this.#world;
    checkLogin(context, call._);
    const userId = findAccountForFaults(context, call);
    const target = userId === null ? null : targetOf(call, userId);
    if (userId !== null) checkWaits(world, userId, call._, target);
    const slot = `${userId}:${target}:${String(call["randomId"])}`;
    if (call["randomId"] !== undefined && this.#running.has(slot)) throw rpcError("RANDOM_ID_DUPLICATE");

    const fault =
      userId === null
        ? null
        : world.store.transaction(() => {
            const taken = takeFault(world, userId, call, target);
            if (taken !== null) beginWait(world, userId, call._, taken.error, target);
            return taken;
          });
    if (fault !== null) world.changed();
    const slow = fault === null ? null : SLOW.exec(fault.error);
    if (slow !== null) {
      this.#running.add(slot);
      await world.clock.sleep(Number(slow[1])).finally(() => this.#running.delete(slot));
    } else if (fault !== null && !fault.after_delivery) {
      return outcomeOf(fault.error);
    }
    const value = this.#run(context, call);
    return fault !== null && slow === null ? outcomeOf(fault.error) : { kind: "result", value };
  }

  #run(context: CallContext, call: TlObject): unknown {
    const handler = handlers.get(call._);
    if (handler === undefined) {
      this.#world.logger.warn({ method: call._ }, "the simulated network does not know this method");
      throw new RpcError(400, "METHOD_INVALID");
    }
    const { value, refusal } = this.#world.store.transaction(() => {
      try {
        return { value: handler(context, call), refusal: null };
      } catch (error) {
        if (error instanceof RpcError && error.keepsEffects) return { value: null, refusal: error };
        throw error;
      }
    });
    if (refusal !== null) throw refusal;
    return value;
  }
}

function outcomeOf(error: string): Outcome {
  if (error === "DROP_CONNECTION") return { kind: "drop-connection" };
  if (error === "HALF_OPEN") return { kind: "half-open" };
  return { kind: "error", error: rpcError(error) };
}
