import { Long } from "@mtcute/core";

const EMPTY = Buffer.alloc(0);

/** Reads bare TL types (https://core.telegram.org/mtproto/serialize) from a buffer. Throws RangeError past its end. */
export class TlReader {
  readonly data: Buffer;
  position: number;

  constructor(data: Uint8Array, position = 0) {
    this.data = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    this.position = position;
  }

  int(): number {
    const value = this.data.readInt32LE(this.position);
    this.position += 4;
    return value;
  }

  uint(): number {
    return this.int() >>> 0;
  }

  long(): Long {
    return new Long(this.int(), this.int());
  }

  double(): number {
    const value = this.data.readDoubleLE(this.position);
    this.position += 8;
    return value;
  }

  raw(length: number): Buffer {
    if (length < 0 || this.position + length > this.data.length) throw new RangeError("TL value runs past its end");
    const value = this.data.subarray(this.position, this.position + length);
    this.position += length;
    return value;
  }

  bytes(): Buffer {
    const first = this.raw(1)[0] ?? 0;
    const long = first === 254;
    const length = long ? this.raw(3).readUIntLE(0, 3) : first;
    const value = this.raw(length);
    this.raw((4 - ((length + (long ? 4 : 1)) % 4)) % 4);
    return value;
  }

  string(): string {
    return this.bytes().toString("utf8");
  }

  rest(): Buffer {
    return this.data.subarray(this.position);
  }
}

/** Writes bare TL types into a growing buffer. */
export class TlWriter {
  #buffer = Buffer.allocUnsafe(256);
  #length = 0;

  #room(size: number): number {
    const at = this.#length;
    if (at + size > this.#buffer.length) {
      const grown = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, at + size));
      this.#buffer.copy(grown, 0, 0, at);
      this.#buffer = grown;
    }
    this.#length = at + size;
    return at;
  }

  int(value: number): void {
    const at = this.#room(4);
    this.#buffer.writeInt32LE(value | 0, at);
  }

  /** Writes a 64-bit integer: a Long, or a number for ids below 2^53. */
  long(value: Long | number): void {
    const long = typeof value === "number" ? Long.fromNumber(value) : value;
    this.int(long.low);
    this.int(long.high);
  }

  double(value: number): void {
    const at = this.#room(8);
    this.#buffer.writeDoubleLE(value, at);
  }

  raw(value: Uint8Array): void {
    const at = this.#room(value.length);
    this.#buffer.set(value, at);
  }

  bytes(value: Uint8Array): void {
    const long = value.length >= 254;
    if (long) this.int((value.length << 8) | 254);
    else this.raw(Uint8Array.of(value.length));
    this.raw(value);
    const padding = (4 - ((value.length + (long ? 4 : 1)) % 4)) % 4;
    this.raw(new Uint8Array(padding));
  }

  string(value: string): void {
    this.bytes(value === "" ? EMPTY : Buffer.from(value, "utf8"));
  }

  result(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }
}
