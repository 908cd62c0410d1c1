import type { Socket } from "node:net";
import type { Dispatcher, Outcome } from "../dispatch.ts";
import { RpcError } from "../errors.ts";
import type { CallContext } from "../methods/context.ts";
import { decryptMessage, encryptMessage } from "../wire/crypto.ts";
import { toTlLong } from "../wire/longs.ts";
import { TlReader } from "../wire/tl-buffer.ts";
import { UnknownConstructorError, deserialize, serialize, type TlObject } from "../wire/tl.ts";
import { Transport } from "../wire/transport.ts";
import { endLogin, keyById, type AuthKey } from "../world/logins.ts";
import type { PasswordChecks } from "../world/password.ts";
import type { World } from "../world/world.ts";
import { rememberDevice, unwrap } from "./calls.ts";
import { Handshake, wrapPlain, type AgreedKey } from "./handshake.ts";
import { BAD_MESSAGE, wrongTime } from "./message-ids.ts";
import { Salts } from "./salts.ts";
import type { ServerKey } from "./server-key.ts";
import { handleService } from "./service.ts";
import { Session } from "./session.ts";
import type { Line, LiveSession, Sessions } from "./sessions.ts";

/** What all connections share. */
export type Core = {
  readonly world: World;
  readonly serverKey: ServerKey;
  readonly sessions: Sessions;
  readonly dispatcher: Dispatcher;
  readonly passwords: PasswordChecks;
};

const CONTAINER = 0x73f1f8dc;
const MOST_IN_CONTAINER = 1020;
const NO_SUCH_KEY = -404;

type Incoming = { id: bigint; seqNo: number; body: Buffer };

/** One client connection to one data centre. */
export class Connection implements Line {
  readonly #core: Core;
  readonly #dcId: number;
  readonly #socket: Socket;
  readonly #transport = new Transport();
  readonly #handshake: Handshake;
  #live: LiveSession | null = null;
  #halfOpen = false;
  #ended = false;
  #lastPlainId = 0n;
  #silence: NodeJS.Timeout | null = null;

  constructor(core: Core, dcId: number, socket: Socket) {
    this.#core = core;
    this.#dcId = dcId;
    this.#socket = socket;
    this.#handshake = new Handshake(core.serverKey, () => Date.now());
    socket.setNoDelay(true);
    socket.on("data", (bytes: Buffer) => this.#receive(bytes));
    socket.on("end", () => this.#close());
    socket.on("close", () => this.#close());
    socket.on("error", () => this.#close());
  }

  get isLive(): boolean {
    return !this.#ended && !this.#halfOpen;
  }

  /** Closes after what was written has left. */
  end(): void {
    this.#socket.end();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #close(): void {
    this.#ended = true;
    if (this.#silence !== null) clearTimeout(this.#silence);
    this.#leave();
  }

  #leave(): void {
    if (this.#live?.line !== this) return;
    this.#live.line = null;
    this.#live.session.detach();
  }

  #receive(bytes: Buffer): void {
    if (this.#halfOpen || this.#ended) return;
    try {
      for (const packet of this.#transport.receive(bytes)) this.#packet(packet);
    } catch (error) {
      this.#core.world.logger.debug({ error }, "a client broke the protocol");
      this.destroy();
    }
  }

  #write(packet: Buffer): void {
    if (this.isLive && this.#socket.writable) this.#socket.write(this.#transport.wrap(packet));
  }

  #transportError(code: number): void {
    const packet = Buffer.alloc(4);
    packet.writeInt32LE(code);
    this.#write(packet);
  }

  #packet(packet: Buffer): void {
    if (this.#halfOpen) return;
    if (packet.readBigUInt64LE(0) === 0n) return this.#plain(packet);
    const wireKey = keyById(this.#core.world, packet.subarray(0, 8).toString("hex"));
    const expired = wireKey?.expires_at != null && wireKey.expires_at <= Date.now() / 1000;
    if (wireKey === undefined || wireKey.dc_id !== this.#dcId || expired) return this.#transportError(NO_SUCH_KEY);
    const plain = decryptMessage(Buffer.from(wireKey.key), packet, "from-client");
    if (plain === null) return this.#transportError(NO_SUCH_KEY);
    const length = plain.readUInt32LE(28);
    const padding = plain.length - 32 - length;
    if (length % 4 !== 0 || padding < 12 || padding > 1024) throw new RangeError("wrong padding");
    const message = { id: plain.readBigInt64LE(16), seqNo: plain.readInt32LE(24), body: plain.subarray(32, 32 + length) };
    this.#encrypted(wireKey, plain.subarray(0, 8), plain.subarray(8, 16), message);
  }

  #plain(packet: Buffer): void {
    const length = packet.readUInt32LE(16);
    const { answer, agreed } = this.#handshake.step(packet.subarray(20, 20 + length));
    if (agreed !== undefined) this.#keep(agreed);
    const now = Date.now();
    const id = (BigInt(Math.floor(now / 1000)) << 32n) | (BigInt(now % 1000) << 22n) | 1n;
    this.#lastPlainId = id > this.#lastPlainId ? id : this.#lastPlainId + 4n;
    this.#write(wrapPlain(this.#lastPlainId, serialize(answer)));
  }

  #keep({ id, key, firstSalt, expiresInSeconds }: AgreedKey): void {
    const now = Math.floor(Date.now() / 1000);
    this.#core.world.store.run(
      "insert into auth_keys (id, key, dc_id, first_salt, created_at, expires_at) values (?, ?, ?, ?, ?, ?)",
      id.toString("hex"),
      key,
      this.#dcId,
      firstSalt,
      now,
      expiresInSeconds === null ? null : now + expiresInSeconds,
    );
  }

  #encrypted(wireKey: AuthKey, salt: Buffer, sessionId: Buffer, message: Incoming): void {
    const { world, sessions } = this.#core;
    const now = Math.floor(Date.now() / 1000);
    const salts = new Salts(world, wireKey);
    const live = sessions.find(wireKey.id, sessionId) ?? this.#newSession(wireKey, sessionId, message, salts.current(now));
    this.#live = this.#attach(live, wireKey, salts);
    if (!salts.isValid(new TlReader(salt).long(), now)) {
      live.session.push(
        serialize({
          _: "mt_bad_server_salt",
          badMsgId: toTlLong(message.id),
          badMsgSeqno: message.seqNo,
          errorCode: BAD_MESSAGE.badSalt,
          newServerSalt: salts.current(now),
        }),
        { content: false },
      );
      return;
    }
    this.#message(live, wireKey, message, null);
  }

  #newSession(wireKey: AuthKey, sessionId: Buffer, first: Incoming, salt: unknown): LiveSession {
    const session = new Session(Buffer.from(sessionId), first.id);
    session.layer = keyById(this.#core.world, wireKey.permanent_id ?? wireKey.id)?.layer ?? 0;
    const live: LiveSession = {
      session,
      keyId: wireKey.permanent_id ?? wireKey.id,
      wireKeyId: wireKey.id,
      line: null,
      mainSince: 0,
    };
    this.#core.sessions.add(live);
    session.push(
      serialize({
        _: "mt_new_session_created",
        firstMsgId: toTlLong(session.firstMessageId),
        uniqueId: new TlReader(session.uniqueId).long(),
        serverSalt: salt,
      }),
      { content: true },
    );
    return live;
  }

  #attach(live: LiveSession, wireKey: AuthKey, salts: Salts): LiveSession {
    live.session.lastSeen = Date.now();
    if (live.line === this) return live;
    this.#leave();
    live.line = this;
    const authKey = Buffer.from(wireKey.key);
    live.session.attach(({ id, seqNo, body }) => {
      const plain = Buffer.alloc(32 + body.length);
      plain.set(salts.current(Math.floor(Date.now() / 1000)).toBytesLE(), 0);
      live.session.id.copy(plain, 8);
      plain.writeBigInt64LE(id, 16);
      plain.writeInt32LE(seqNo, 24);
      plain.writeInt32LE(body.length, 28);
      body.copy(plain, 32);
      this.#write(encryptMessage(authKey, plain, "to-client"));
    });
    return live;
  }

  #bad(live: LiveSession, { id, seqNo }: Incoming, errorCode: number): void {
    live.session.push(
      serialize({ _: "mt_bad_msg_notification", badMsgId: toTlLong(id), badMsgSeqno: seqNo, errorCode }),
      { content: false },
    );
  }

  #message(live: LiveSession, wireKey: AuthKey, message: Incoming, containerId: bigint | null): void {
    const { id, seqNo, body } = message;
    const { received } = live.session;
    const wrong = containerId === null ? wrongTime(id, Date.now()) : null;
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
      disconnectAfter: (seconds: number) => this.#disconnectAfter(seconds),
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

  #read(live: LiveSession, { id }: Incoming, body: Buffer): TlObject | null {
    try {
      return deserialize(body);
    } catch (error) {
      const text = error instanceof UnknownConstructorError ? `INPUT_METHOD_INVALID_${error.id}` : "INPUT_FETCH_FAIL";
      live.session.answer(id, { _: "mt_rpc_error", errorCode: 400, errorMessage: text });
      return null;
    }
  }

  #container(live: LiveSession, wireKey: AuthKey, container: Incoming, nested: boolean): void {
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
      if (this.#halfOpen || this.#socket.destroyed) return;
    }
  }

  #disconnectAfter(seconds: number): void {
    if (this.#silence !== null) clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.destroy(), seconds * 1000);
    this.#silence.unref();
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
        this.#halfOpen = true;
        live.session.received.forget(id);
        return;
      case "drop-connection":
        live.session.received.forget(id);
        this.destroy();
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
    if (!withoutUpdates && (call._ === "updates.getState" || call._ === "updates.getDifference")) sessions.markMain(live);
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
