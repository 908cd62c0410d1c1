import type { Dispatcher, Outcome } from "../dispatch.ts";
import { RpcError } from "../errors.ts";
import type { CallContext } from "../methods/context.ts";
import { toTlLong } from "../wire/longs.ts";
import { TlReader } from "../wire/tl-buffer.ts";
import { UnknownConstructorError, deserialize, serialize, type TlObject } from "../wire/tl.ts";
import { endLogin, keyById, type AuthKey } from "../world/logins.ts";
import type { PasswordChecks } from "../world/password.ts";
import type { World } from "../world/world.ts";
import { rememberDevice, unwrap } from "./calls.ts";
import { BAD_MESSAGE, wrongTime } from "./message-ids.ts";
import type { ServerKey } from "./server-key.ts";
import { handleService } from "./service.ts";
import type { LiveSession, Sessions } from "./sessions.ts";

/** Shared by all connections. */
export type Core = {
  readonly world: World;
  readonly serverKey: ServerKey;
  readonly sessions: Sessions;
  readonly dispatcher: Dispatcher;
  readonly passwords: PasswordChecks;
};

export type IncomingMessage = { id: bigint; seqNo: number; body: Buffer };

/** What messages can do to their connection. */
export type IncomingLine = {
  disconnectAfter(seconds: number): void;
  destroy(): void;
  /** stops reading and writing, without closing */
  fallSilent(): void;
  isOpen(): boolean;
};

const CONTAINER = 0x73f1f8dc;
const MOST_IN_CONTAINER = 1020;

/** Checks a client's decrypted messages, unpacks containers and answers them. */
export class IncomingMessages {
  readonly #core: Core;
  readonly #dcId: number;
  readonly #line: IncomingLine;

  constructor(core: Core, dcId: number, line: IncomingLine) {
    this.#core = core;
    this.#dcId = dcId;
    this.#line = line;
  }

  /** Handles the outermost message of a packet. */
  receive(live: LiveSession, wireKey: AuthKey, message: IncomingMessage): void {
    this.#message(live, wireKey, message, null);
  }

  #bad(live: LiveSession, { id, seqNo }: IncomingMessage, errorCode: number): void {
    live.session.push(
      serialize({ _: "mt_bad_msg_notification", badMsgId: toTlLong(id), badMsgSeqno: seqNo, errorCode }),
      { content: false },
    );
  }

  #message(live: LiveSession, wireKey: AuthKey, message: IncomingMessage, containerId: bigint | null): void {
    const { id, seqNo, body } = message;
    const { received } = live.session;
    const wrong = containerId === null ? wrongTime(id, this.#core.world.clock.wall()) : null;
    if (wrong !== null) return this.#bad(live, message, wrong);
    if (containerId !== null && id >= containerId) return this.#bad(live, message, BAD_MESSAGE.invalidContainer);
    const constructor = body.readUInt32LE(0);
    if (constructor === CONTAINER) return this.#container(live, wireKey, message, containerId !== null);
    if (received.isForgotten(id)) return this.#bad(live, message, BAD_MESSAGE.tooOld);
    const known = received.get(id);
    if (known !== undefined) {
      if (known.answerId !== null) live.session.resend([known.answerId]);
      return;
    }
    const object = this.#read(live, message, body);
    if (object === null) return;
    const service = {
      world: this.#core.world,
      sessions: this.#core.sessions,
      live,
      wireKey,
      messageId: id,
      disconnectAfter: (seconds: number) => this.#line.disconnectAfter(seconds),
    };
    if (handleService(service, object)) {
      received.add(id);
      return;
    }
    const wrongSeqNo = received.wrongSeqNo(id, seqNo);
    if (wrongSeqNo !== null) return this.#bad(live, message, wrongSeqNo);
    const state = received.add(id);
    live.session.acknowledge(id);
    state.done = this.#call(live, wireKey, id, object);
  }

  #read(live: LiveSession, { id }: IncomingMessage, body: Buffer): TlObject | null {
    try {
      return deserialize(body);
    } catch (error) {
      const text = error instanceof UnknownConstructorError ? `INPUT_METHOD_INVALID_${error.id}` : "INPUT_FETCH_FAIL";
      live.session.answer(id, { _: "mt_rpc_error", errorCode: 400, errorMessage: text });
      return null;
    }
  }

  #container(live: LiveSession, wireKey: AuthKey, container: IncomingMessage, nested: boolean): void {
    const { id, seqNo, body } = container;
    if (nested || seqNo % 2 !== 0) {
      return this.#bad(live, container, nested ? BAD_MESSAGE.invalidContainer : BAD_MESSAGE.seqNoMustBeEven);
    }
    if (live.session.received.get(id) !== undefined) return this.#bad(live, container, BAD_MESSAGE.containerIdReused);
    live.session.received.add(id);
    const reader = new TlReader(body, 4);
    const count = reader.uint();
    if (count > MOST_IN_CONTAINER) return this.#bad(live, container, BAD_MESSAGE.invalidContainer);
    for (let read = 0; read < count; read += 1) {
      const innerId = reader.raw(8).readBigInt64LE(0);
      const innerSeqNo = reader.int();
      this.#message(live, wireKey, { id: innerId, seqNo: innerSeqNo, body: reader.raw(reader.int()) }, id);
      if (!this.#line.isOpen()) return;
    }
  }

  async #call(live: LiveSession, wireKey: AuthKey, id: bigint, object: TlObject): Promise<void> {
    try {
      this.#settle(live, id, await this.#outcome(live, wireKey, object));
    } catch (error) {
      const known = error instanceof RpcError;
      if (!known) this.#core.world.logger.warn({ error }, "a call failed inside the simulated network");
      this.#settle(live, id, { kind: "error", error: known ? error : new RpcError(500, "INTERNAL_SERVER_ERROR") });
    }
  }

  #settle(live: LiveSession, id: bigint, outcome: Outcome): void {
    switch (outcome.kind) {
      case "result":
        return live.session.answer(id, outcome.value);
      case "error": {
        const state = live.session.received.get(id);
        if (state !== undefined) state.failed = true;
        const { code, message } = outcome.error;
        return live.session.answer(id, { _: "mt_rpc_error", errorCode: code, errorMessage: message });
      }
      case "half-open":
        this.#line.fallSilent();
        live.session.received.forget(id);
        return;
      case "drop-connection":
        live.session.received.forget(id);
        this.#line.destroy();
    }
  }

  async #outcome(live: LiveSession, wireKey: AuthKey, object: TlObject): Promise<Outcome> {
    const { world, dispatcher, passwords, sessions } = this.#core;
    const unwrapped = unwrap(object);
    const { call, after, withoutUpdates, layer } = unwrapped;
    for (const earlier of after) {
      const state = live.session.received.get(earlier);
      if (state?.done != null && !state.answered) await state.done;
      if (state?.failed) throw new RpcError(500, "MSG_WAIT_FAILED");
    }
    const permanentId = call._ === "auth.bindTempAuthKey" ? wireKey.id : keyById(world, wireKey.id)?.permanent_id;
    if (wireKey.expires_at !== null && permanentId == null) throw new RpcError(401, "AUTH_KEY_PERM_EMPTY");
    live.keyId = permanentId ?? wireKey.id;
    const before = keyById(world, live.keyId);
    if (before === undefined) throw new RpcError(401, "AUTH_KEY_UNREGISTERED");
    rememberDevice(world, before, unwrapped);
    live.session.layer = layer ?? (live.session.layer || before.layer);
    if (live.session.layer === 0 && call._ !== "auth.bindTempAuthKey") throw new RpcError(400, "CONNECTION_NOT_INITED");
    if (!withoutUpdates && !call._.startsWith("upload.")) live.session.wantsUpdates = true;
    if (!withoutUpdates && (call._ === "updates.getState" || call._ === "updates.getDifference"))
      sessions.markMain(live);
    if (before.user_id !== null && sessions.isDuplicated(live)) {
      endLogin(world, before.id, "AUTH_KEY_DUPLICATED");
      throw new RpcError(406, "AUTH_KEY_DUPLICATED");
    }
    const context: CallContext = {
      world,
      key: before,
      wireKey,
      dcId: this.#dcId,
      sessionId: live.session.id,
      session: live.session,
      passwords,
    };
    return dispatcher.dispatch(context, call);
  }
}
