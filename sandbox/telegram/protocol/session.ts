import { randomBytes } from "node:crypto";
import { gzipSync } from "node:zlib";
import type { Clock } from "../../server-imports.ts";
import { TlWriter } from "../wire/tl-buffer.ts";
import { toTlLong } from "../wire/longs.ts";
import { serialize } from "../wire/tl.ts";
import { ReceivedMessages } from "./message-ids.ts";

const RPC_RESULT = 0xf35c6d01;
const CONTAINER = 0x73f1f8dc;
const GZIP_PACKED = 0x3072cfa1;
const MOST_IN_CONTAINER = 100;
const LARGEST_CONTAINER = 512 << 10;
const SMALLEST_WORTH_PACKING = 512;
/** Longer bodies contain files, which do not compress well. */
const LARGEST_WORTH_PACKING = 128 << 10;
const MOST_UNACKNOWLEDGED = 5000;

/** A server message as first sent, kept until the client acknowledges it. */
export type Outgoing = { id: bigint; seqNo: number; body: Buffer; answerTo: bigint | null };

type Options = { content: boolean; answerTo?: bigint };

/** Compresses a body if that makes it shorter. */
export function compress(body: Buffer): Buffer {
  if (body.length < SMALLEST_WORTH_PACKING || body.length > LARGEST_WORTH_PACKING) return body;
  const zipped = gzipSync(body);
  if (zipped.length > body.length * 0.9) return body;
  const writer = new TlWriter();
  writer.int(GZIP_PACKED);
  writer.bytes(zipped);
  return writer.result();
}

/** An MTProto session: received messages, queued messages, and sent but unacknowledged ones. */
export class Session {
  readonly id: Buffer;
  /** sent in new_session_created: a different value means that the server forgot the session */
  readonly uniqueId: Buffer = randomBytes(8);
  readonly received = new ReceivedMessages();
  /** the first message id received, sent in new_session_created */
  readonly firstMessageId: bigint;
  layer = 0;
  /** whether to push updates: set by calls not wrapped in invokeWithoutUpdates */
  wantsUpdates = false;
  lastSeen: number;

  readonly #clock: Clock;
  readonly #unacknowledged = new Map<bigint, Outgoing>();
  #queue: Outgoing[] = [];
  #acks: bigint[] = [];
  #contentCount = 0;
  #lastId = 0n;
  #scheduled = false;
  #write: ((plain: { id: bigint; seqNo: number; body: Buffer }) => void) | null = null;

  constructor(id: Buffer, firstMessageId: bigint, clock: Clock) {
    this.id = id;
    this.firstMessageId = firstMessageId;
    this.#clock = clock;
    this.lastSeen = clock.wall();
  }

  /** Sends through this writer from now on, and repeats unacknowledged messages under their old ids. */
  attach(write: (plain: { id: bigint; seqNo: number; body: Buffer }) => void): void {
    this.#write = write;
    const queued = new Set(this.#queue.map(({ id }) => id));
    this.#queue = [...[...this.#unacknowledged.values()].filter(({ id }) => !queued.has(id)), ...this.#queue];
    this.#schedule();
  }

  detach(): void {
    this.#write = null;
  }

  get isAttached(): boolean {
    return this.#write !== null;
  }

  /** Returns the next server message id: odd, increasing, 1 mod 4 for responses and 3 mod 4 otherwise. */
  #nextId(isAnswer: boolean): bigint {
    const now = this.#clock.wall();
    const time = (BigInt(Math.floor(now / 1000)) << 32n) | (BigInt(now % 1000) << 22n);
    const base = time > this.#lastId ? time : (this.#lastId | 3n) + 1n;
    this.#lastId = base | (isAnswer ? 1n : 3n);
    return this.#lastId;
  }

  /** Queues a message; content-related ones are kept until acknowledged. */
  push(body: Buffer, { content, answerTo }: Options): bigint {
    const id = this.#nextId(answerTo !== undefined);
    const seqNo = this.#contentCount * 2 + (content ? 1 : 0);
    if (content) this.#contentCount += 1;
    const message: Outgoing = { id, seqNo, body, answerTo: answerTo ?? null };
    if (content) this.#keep(message);
    if (this.isAttached) this.#queue.push(message);
    this.#schedule();
    return id;
  }

  #keep(message: Outgoing): void {
    this.#unacknowledged.set(message.id, message);
    const [oldest] = this.#unacknowledged.keys();
    if (this.#unacknowledged.size > MOST_UNACKNOWLEDGED && oldest !== undefined) this.#unacknowledged.delete(oldest);
  }

  /** Responds to a call: rpc_result with the value or rpc_error. */
  answer(requestId: bigint, value: unknown): void {
    const body = compress(serialize(value, this.layer === 0 ? undefined : this.layer));
    const writer = new TlWriter();
    const id = Buffer.alloc(8);
    id.writeBigInt64LE(requestId);
    writer.int(RPC_RESULT);
    writer.raw(id);
    writer.raw(body);
    this.#acks = this.#acks.filter((ack) => ack !== requestId);
    const state = this.received.get(requestId);
    const answerId = this.push(writer.result(), { content: true, answerTo: requestId });
    if (state !== undefined) Object.assign(state, { answered: true, answerId });
  }

  /** Acknowledges a client's message in the next packet, unless its response comes first. */
  acknowledge(messageId: bigint): void {
    this.#acks.push(messageId);
    this.#schedule();
  }

  markAcknowledged(ids: bigint[]): void {
    for (const id of ids) this.#unacknowledged.delete(id);
  }

  /** Sends kept messages again, under their old ids; returns the ids that are no longer kept. */
  resend(ids: bigint[]): bigint[] {
    const unanswered = ids.flatMap((id) => this.#unacknowledged.get(id) ?? []);
    this.#queue.push(...unanswered);
    this.#schedule();
    return ids.filter((id) => !this.#unacknowledged.has(id));
  }

  /** Removes the unacknowledged response to a call, for rpc_drop_answer. */
  dropAnswer(requestId: bigint): Outgoing | null {
    const answer = [...this.#unacknowledged.values()].find(({ answerTo }) => answerTo === requestId);
    if (answer === undefined) return null;
    this.#unacknowledged.delete(answer.id);
    this.#queue = this.#queue.filter(({ id }) => id !== answer.id);
    return answer;
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.flush();
    });
  }

  /** Sends all queued messages: one bare, several in containers. */
  flush(): void {
    const write = this.#write;
    if (write === null) return;
    if (this.#acks.length > 0) {
      const body = serialize({ _: "mt_msgs_ack", msgIds: this.#acks.map(toTlLong) });
      this.#acks = [];
      this.#queue.unshift({ id: this.#nextId(false), seqNo: this.#contentCount * 2, body, answerTo: null });
    }
    while (this.#queue.length > 0) {
      const batch = this.#takeBatch();
      const [only] = batch;
      if (batch.length === 1 && only !== undefined) write(only);
      else write({ id: this.#nextId(false), seqNo: this.#contentCount * 2, body: container(batch) });
    }
  }

  #takeBatch(): Outgoing[] {
    let size = 0;
    const end = this.#queue.findIndex((message, index) => {
      size += message.body.length + 16;
      return index > 0 && (index >= MOST_IN_CONTAINER || size > LARGEST_CONTAINER);
    });
    return this.#queue.splice(0, end === -1 ? this.#queue.length : end);
  }
}

function container(messages: Outgoing[]): Buffer {
  const writer = new TlWriter();
  writer.int(CONTAINER);
  writer.int(messages.length);
  for (const { id, seqNo, body } of messages) {
    const header = Buffer.alloc(16);
    header.writeBigInt64LE(id, 0);
    header.writeInt32LE(seqNo, 8);
    header.writeInt32LE(body.length, 12);
    writer.raw(header);
    writer.raw(body);
  }
  return writer.result();
}
