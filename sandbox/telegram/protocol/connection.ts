import type { Socket } from "node:net";
import { decryptMessage, encryptMessage } from "../wire/crypto.ts";
import { toTlLong } from "../wire/longs.ts";
import { TlReader } from "../wire/tl-buffer.ts";
import { serialize } from "../wire/tl.ts";
import { Transport } from "../wire/transport.ts";
import { keyById, type AuthKey } from "../world/logins.ts";
import { Handshake, wrapPlain, type AgreedKey } from "./handshake.ts";
import { IncomingMessages, type Core, type IncomingMessage } from "./incoming.ts";
import { BAD_MESSAGE } from "./message-ids.ts";
import { Salts } from "./salts.ts";
import { Session } from "./session.ts";
import type { Cancel } from "../../server-imports.ts";
import type { Line, LiveSession } from "./sessions.ts";

const NO_SUCH_KEY = -404;

export class Connection implements Line {
  readonly #core: Core;
  readonly #dcId: number;
  readonly #socket: Socket;
  readonly #transport = new Transport();
  readonly #handshake: Handshake;
  readonly #incoming: IncomingMessages;
  #live: LiveSession | null = null;
  #halfOpen = false;
  #ended = false;
  #lastPlainId = 0n;
  #cancelSilence: Cancel = () => {};

  constructor(core: Core, dcId: number, socket: Socket) {
    this.#core = core;
    this.#dcId = dcId;
    this.#socket = socket;
    this.#handshake = new Handshake(core.serverKey, core.world.clock.wall);
    this.#incoming = new IncomingMessages(core, dcId, {
      disconnectAfter: (seconds) => this.#disconnectAfter(seconds),
      destroy: () => this.destroy(),
      fallSilent: () => {
        this.#halfOpen = true;
      },
      isOpen: () => this.isLive && !socket.destroyed,
    });
    socket.setNoDelay(true);
    socket.on("data", (bytes: Buffer) => this.#receive(bytes));
    socket.on("end", () => this.#close());
    socket.on("close", () => this.#close());
    socket.on("error", () => this.#close());
  }

  get isLive(): boolean {
    return !this.#ended && !this.#halfOpen;
  }

  /** Closes after pending writes have been sent. */
  end(): void {
    this.#socket.end();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #close(): void {
    this.#ended = true;
    this.#cancelSilence();
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
      this.#core.world.logger.debug({ error }, "a client violated the protocol");
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
    const expired = wireKey?.expires_at != null && wireKey.expires_at <= this.#core.world.clock.wall() / 1000;
    if (wireKey === undefined || wireKey.dc_id !== this.#dcId || expired) return this.#transportError(NO_SUCH_KEY);
    const plain = decryptMessage(Buffer.from(wireKey.key), packet, "from-client");
    if (plain === null) return this.#transportError(NO_SUCH_KEY);
    const length = plain.readUInt32LE(28);
    const padding = plain.length - 32 - length;
    if (length % 4 !== 0 || padding < 12 || padding > 1024) throw new RangeError("wrong padding");
    const message = {
      id: plain.readBigInt64LE(16),
      seqNo: plain.readInt32LE(24),
      body: plain.subarray(32, 32 + length),
    };
    this.#receiveEncrypted(wireKey, plain.subarray(0, 8), plain.subarray(8, 16), message);
  }

  #plain(packet: Buffer): void {
    const length = packet.readUInt32LE(16);
    const { answer, agreed } = this.#handshake.step(packet.subarray(20, 20 + length));
    if (agreed !== undefined) this.#keep(agreed);
    const now = this.#core.world.clock.wall();
    const id = (BigInt(Math.floor(now / 1000)) << 32n) | (BigInt(now % 1000) << 22n) | 1n;
    this.#lastPlainId = id > this.#lastPlainId ? id : this.#lastPlainId + 4n;
    this.#write(wrapPlain(this.#lastPlainId, serialize(answer)));
  }

  #keep({ id, key, firstSalt, expiresInSeconds }: AgreedKey): void {
    const now = Math.floor(this.#core.world.clock.wall() / 1000);
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

  #receiveEncrypted(wireKey: AuthKey, salt: Buffer, sessionId: Buffer, message: IncomingMessage): void {
    const { world, sessions } = this.#core;
    const now = Math.floor(world.clock.wall() / 1000);
    const salts = new Salts(world, wireKey);
    const live =
      sessions.find(wireKey.id, sessionId) ?? this.#newSession(wireKey, sessionId, message, salts.current(now));
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
    this.#incoming.receive(live, wireKey, message);
  }

  #newSession(wireKey: AuthKey, sessionId: Buffer, first: IncomingMessage, salt: unknown): LiveSession {
    const session = new Session(Buffer.from(sessionId), first.id, this.#core.world.clock);
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
    live.session.lastSeen = this.#core.world.clock.wall();
    if (live.line === this) return live;
    this.#leave();
    live.line = this;
    const authKey = Buffer.from(wireKey.key);
    live.session.attach(({ id, seqNo, body }) => {
      const plain = Buffer.alloc(32 + body.length);
      plain.set(salts.current(Math.floor(this.#core.world.clock.wall() / 1000)).toBytesLE(), 0);
      live.session.id.copy(plain, 8);
      plain.writeBigInt64LE(id, 16);
      plain.writeInt32LE(seqNo, 24);
      plain.writeInt32LE(body.length, 28);
      body.copy(plain, 32);
      this.#write(encryptMessage(authKey, plain, "to-client"));
    });
    return live;
  }

  #disconnectAfter(seconds: number): void {
    this.#cancelSilence();
    this.#cancelSilence = this.#core.world.clock.after(seconds * 1000, () => this.destroy());
  }
}
