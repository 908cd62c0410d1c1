import { unzipSync } from "node:zlib";
import { Long } from "@mtcute/core";
import { TlReader, TlWriter } from "./tl-buffer.ts";
import {
  CURRENT_LAYER,
  definitionById,
  definitionByName,
  plainerField,
  type Definition,
  type Field,
} from "./tl-schema.ts";

/** A constructor or a call by its TL name, with camel-case fields. */
export type TlObject = { _: string } & Record<string, unknown>;

const VECTOR = 0x1cb5c415;
const BOOL_TRUE = 0x997275b5;
const BOOL_FALSE = 0xbc799737;
const NULL = 0x56730bcc;
const GZIP_PACKED = 0x3072cfa1;
const LARGEST_UNPACKED = 16 << 20;

/** The client sent a constructor that is in no known layer. */
export class UnknownConstructorError extends Error {
  override name = "UnknownConstructorError";
  readonly id: number;

  constructor(id: number) {
    super(`unknown TL constructor ${id.toString(16)}`);
    this.id = id;
  }
}

/** gzip_packed may contain gzip or zlib data; the real network accepts both. */
const unpack = (bytes: Uint8Array): Buffer => unzipSync(bytes, { maxOutputLength: LARGEST_UNPACKED });

export function isTlObject(value: unknown): value is TlObject {
  return typeof value === "object" && value !== null && typeof (value as { _?: unknown })._ === "string";
}

/** Reads one boxed value: an object, a call, a Bool or a vector of boxed values. */
function readBoxed(reader: TlReader): unknown {
  const id = reader.uint();
  if (id === BOOL_TRUE) return true;
  if (id === BOOL_FALSE) return false;
  if (id === NULL) return null;
  if (id === GZIP_PACKED) return readBoxed(new TlReader(unpack(reader.bytes())));
  if (id === VECTOR) return Array.from({ length: readCount(reader) }, () => readBoxed(reader));
  const definition = definitionById(id);
  if (definition === undefined) throw new UnknownConstructorError(id);
  return readFields(reader, definition);
}

function readObject(reader: TlReader): TlObject {
  const value = readBoxed(reader);
  if (!isTlObject(value)) throw new RangeError("expected a TL object");
  return value;
}

function readCount(reader: TlReader): number {
  const count = reader.uint();
  if (count > reader.data.length - reader.position) throw new RangeError("TL vector is longer than its message");
  return count;
}

function readFields(reader: TlReader, definition: Definition): TlObject {
  const object: TlObject = { _: definition.name };
  const words: Record<string, number> = {};
  for (const field of definition.fields) {
    if (field.type === "#") {
      words[field.key] = reader.uint();
      continue;
    }
    const there = field.flag === undefined || ((words[field.flag.word] ?? 0) >>> field.flag.bit) & 1;
    if (field.type === "true") object[field.key] = Boolean(there);
    else if (there) object[field.key] = readField(reader, field);
  }
  return object;
}

function readField(reader: TlReader, field: Field): unknown {
  if (!field.vector) return readType(reader, field.type);
  if (reader.uint() !== VECTOR) throw new RangeError("expected a TL vector");
  return Array.from({ length: readCount(reader) }, () => readType(reader, field.type));
}

function readType(reader: TlReader, type: string): unknown {
  switch (type) {
    case "int":
      return reader.int();
    case "long":
      return reader.long();
    case "int53":
      return reader.long().toNumber();
    case "double":
      return reader.double();
    case "string":
      return reader.string();
    case "bytes":
      return reader.bytes();
    case "int128":
      return reader.raw(16);
    case "int256":
      return reader.raw(32);
    default:
      return readBoxed(reader);
  }
}

/** Serializes a value for a client of `layer`; omits fields that the layer does not have. */
export function serialize(value: unknown, layer: number = CURRENT_LAYER): Buffer {
  const writer = new TlWriter();
  writeBoxed(writer, value, layer);
  return writer.result();
}

function writeBoxed(writer: TlWriter, value: unknown, layer: number): void {
  if (typeof value === "boolean") return writer.int(value ? BOOL_TRUE : BOOL_FALSE);
  if (Array.isArray(value)) return writeVector(writer, value, (item) => writeBoxedOrBare(writer, item, layer));
  if (!isTlObject(value)) throw new TypeError("only TL objects, booleans and arrays can be written boxed");
  const plainer = plainerField(value._, layer);
  if (plainer !== undefined) return writeBoxed(writer, value[plainer], layer);
  const definition = definitionByName(value._, layer);
  if (definition === undefined) throw new TypeError(`layer ${layer} has no ${value._}`);
  writer.int(definition.id);
  const words: Record<string, number> = {};
  for (const { flag, key, type } of definition.fields) {
    if (flag === undefined) continue;
    const there = type === "true" ? value[key] === true : value[key] !== undefined;
    if (there) words[flag.word] = (words[flag.word] ?? 0) | (1 << flag.bit);
  }
  for (const field of definition.fields) {
    if (field.type === "#") writer.int(words[field.key] ?? 0);
    else if (field.type !== "true") writeField(writer, value, field, layer);
  }
}

/** Vectors in results contain objects, or bare integers as in Vector<int> and Vector<long>. */
function writeBoxedOrBare(writer: TlWriter, item: unknown, layer: number): void {
  if (typeof item === "number") writer.int(item);
  else if (Long.isLong(item)) writer.long(item);
  else writeBoxed(writer, item, layer);
}

function writeVector(writer: TlWriter, items: readonly unknown[], write: (item: unknown) => void): void {
  writer.int(VECTOR);
  writer.int(items.length);
  items.forEach(write);
}

function writeField(writer: TlWriter, object: TlObject, field: Field, layer: number): void {
  const value = object[field.key];
  if (value === undefined) {
    if (field.flag !== undefined) return;
    throw new TypeError(`${object._} lacks ${field.key}`);
  }
  if (field.vector)
    return writeVector(writer, value as unknown[], (item) => writeType(writer, item, field.type, layer));
  writeType(writer, value, field.type, layer);
}

function writeType(writer: TlWriter, value: unknown, type: string, layer: number): void {
  switch (type) {
    case "int":
      return writer.int(value as number);
    case "long":
    case "int53":
      return writer.long(value as Long | number);
    case "double":
      return writer.double(value as number);
    case "string":
      return writer.string(value as string);
    case "bytes":
      return writer.bytes(value as Uint8Array);
    case "int128":
    case "int256":
      return writer.raw(value as Uint8Array);
    default:
      return writeBoxed(writer, value, layer);
  }
}

export function deserialize(data: Uint8Array): TlObject {
  return readObject(new TlReader(data));
}

/** Reads a boxed vector of objects from a buffer. */
export function deserializeAll(data: Uint8Array): TlObject[] {
  const value = readBoxed(new TlReader(data));
  if (!Array.isArray(value) || !value.every(isTlObject)) throw new RangeError("expected a vector of TL objects");
  return value;
}
