import { createCipheriv, createDecipheriv, type Cipheriv, type Decipheriv } from "node:crypto";
import { crc32 } from "node:zlib";

/** A framing of https://core.telegram.org/mtproto/mtproto-transports, detected by a client's first bytes. */
type Framing = {
  /** returns the first packet of the buffered bytes, or null while it is incomplete */
  take(buffer: Buffer): { packet: Buffer; used: number } | null;
  wrap(packet: Buffer): Buffer;
};

/** Maximum length of a client's packet; upload parts have at most 512 KB. */
const LONGEST_PACKET = 4 << 20;
const QUICK_ACK = 0x80000000;

const requireLength = (length: number): number => {
  if (length <= 0 || length > LONGEST_PACKET) throw new RangeError(`a packet of ${length} bytes`);
  return length;
};

const takeAfter = (buffer: Buffer, header: number, length: number): { packet: Buffer; used: number } | null =>
  buffer.length < header + requireLength(length)
    ? null
    : { packet: buffer.subarray(header, header + length), used: header + length };

function abridged(): Framing {
  return {
    take(buffer) {
      if (buffer.length < 4) return null;
      const first = buffer.readUInt8(0) & 0x7f;
      return first === 0x7f ? takeAfter(buffer, 4, buffer.readUIntLE(1, 3) * 4) : takeAfter(buffer, 1, first * 4);
    },
    wrap(packet) {
      const words = packet.length / 4;
      const header = words < 0x7f ? Buffer.of(words) : Buffer.from([0x7f, words, words >> 8, words >> 16]);
      return Buffer.concat([header, packet]);
    },
  };
}

function intermediate(): Framing {
  return {
    take: (buffer) => (buffer.length < 4 ? null : takeAfter(buffer, 4, (buffer.readUInt32LE(0) & ~QUICK_ACK) >>> 0)),
    wrap(packet) {
      const header = Buffer.alloc(4);
      header.writeUInt32LE(packet.length);
      return Buffer.concat([header, packet]);
    },
  };
}

/** Intermediate with 0-15 bytes of padding. Encrypted packets are 8 mod 16 long, which reveals the padding. */
function paddedIntermediate(): Framing {
  const plain = intermediate();
  return {
    take(buffer) {
      const taken = plain.take(buffer);
      if (taken === null) return null;
      const { packet, used } = taken;
      if (packet.length < 20) return { packet: packet.subarray(0, 4), used };
      const body =
        packet.readBigUInt64LE(0) === 0n ? 20 + packet.readUInt32LE(16) : packet.length - ((packet.length - 8) % 16);
      return { packet: packet.subarray(0, body), used };
    },
    wrap: (packet) => plain.wrap(Buffer.concat([packet, Buffer.alloc((packet[8] ?? 0) & 0x0f)])),
  };
}

function full(): Framing {
  let received = 0;
  let sent = 0;
  return {
    take(buffer) {
      if (buffer.length < 12) return null;
      const length = requireLength(buffer.readUInt32LE(0));
      if (length < 12) throw new RangeError("a full packet is at least 12 bytes");
      if (buffer.length < length) return null;
      if (buffer.readUInt32LE(4) !== received) throw new RangeError("full transport: packet out of order");
      if (crc32(buffer.subarray(0, length - 4)) !== buffer.readUInt32LE(length - 4)) {
        throw new RangeError("full transport: wrong checksum");
      }
      received += 1;
      return { packet: buffer.subarray(8, length - 4), used: length };
    },
    wrap(packet) {
      const framed = Buffer.alloc(packet.length + 12);
      framed.writeUInt32LE(framed.length, 0);
      framed.writeUInt32LE(sent, 4);
      sent += 1;
      packet.copy(framed, 8);
      framed.writeUInt32LE(crc32(framed.subarray(0, -4)), framed.length - 4);
      return framed;
    },
  };
}

const framingOfTag = (tag: number): Framing | null => {
  if (tag === 0xefefefef) return abridged();
  if (tag === 0xeeeeeeee) return intermediate();
  return tag === 0xdddddddd ? paddedIntermediate() : null;
};

/** Derives the ciphers and the inner framing of an obfuscated connection from the client's first 64 bytes. */
function readObfuscation(opening: Buffer): { framing: Framing; decipher: Decipheriv; cipher: Cipheriv } | null {
  const reversed = Buffer.from(opening.subarray(8, 56).toReversed());
  const decipher = createDecipheriv("aes-256-ctr", opening.subarray(8, 40), opening.subarray(40, 56));
  const cipher = createCipheriv("aes-256-ctr", reversed.subarray(0, 32), reversed.subarray(32, 48));
  const framing = framingOfTag(decipher.update(opening).readUInt32LE(56));
  return framing === null ? null : { framing, decipher, cipher };
}

/** Converts a connection's bytes to MTProto packets and back, for every transport. */
export class Transport {
  #buffer: Buffer = Buffer.alloc(0);
  #framing: Framing | null = null;
  #decipher: Decipheriv | null = null;
  #cipher: Cipheriv | null = null;

  /** Returns the packets completed by these bytes. Throws RangeError when they match no transport. */
  receive(bytes: Buffer): Buffer[] {
    const clear = this.#decipher === null ? bytes : this.#decipher.update(bytes);
    this.#buffer = this.#buffer.length === 0 ? clear : Buffer.concat([this.#buffer, clear]);
    if (this.#framing === null && !this.#open()) return [];
    const packets: Buffer[] = [];
    for (let taken = this.#take(); taken !== null; taken = this.#take()) packets.push(taken);
    return packets;
  }

  /** Frames one packet for the client. */
  wrap(packet: Buffer): Buffer {
    if (this.#framing === null) throw new RangeError("the client has not chosen a transport yet");
    const framed = this.#framing.wrap(packet);
    return this.#cipher === null ? framed : this.#cipher.update(framed);
  }

  #take(): Buffer | null {
    const taken = this.#buffer.length === 0 ? null : (this.#framing?.take(this.#buffer) ?? null);
    if (taken === null) return null;
    this.#buffer = this.#buffer.subarray(taken.used);
    return Buffer.from(taken.packet);
  }

  #open(): boolean {
    const buffer = this.#buffer;
    if (buffer[0] === 0xef) return this.#choose(abridged(), 1);
    if (buffer.length < 8) return false;
    const tag = buffer.readUInt32LE(0);
    if (tag === 0xeeeeeeee) return this.#choose(intermediate(), 4);
    if (tag === 0xdddddddd) return this.#choose(paddedIntermediate(), 4);
    if (buffer.readUInt32LE(4) === 0) return this.#choose(full(), 0);
    if (buffer.length < 64) return false;
    const obfuscation = readObfuscation(buffer.subarray(0, 64));
    if (obfuscation === null) throw new RangeError("not an MTProto transport");
    this.#decipher = obfuscation.decipher;
    this.#cipher = obfuscation.cipher;
    this.#framing = obfuscation.framing;
    this.#buffer = obfuscation.decipher.update(buffer.subarray(64));
    return true;
  }

  #choose(framing: Framing, tagLength: number): true {
    this.#framing = framing;
    this.#buffer = this.#buffer.subarray(tagLength);
    return true;
  }
}
