import { Long, type tl } from "@mtcute/core";
import { hmac } from "../wire/crypto.ts";
import { deserializeAll, serialize } from "../wire/tl.ts";
import { rpcError } from "../errors.ts";
import { samplePreview } from "./pictures.ts";
import { secretLong, unixTime, type World } from "./world.ts";

export type StoredFile = {
  file_id: number;
  kind: "photo" | "document";
  mime_type: string;
  name: string | null;
  size: number;
  width: number | null;
  height: number | null;
  attributes: Uint8Array | null;
  dc_id: number;
  created_at: number;
};

const COLUMNS = "file_id, kind, mime_type, name, size, width, height, attributes, dc_id, created_at";
const LARGEST_PART = 524_288;
const MOST_PARTS = 8000;

export const fileById = (world: World, fileId: number): StoredFile | undefined =>
  world.store.get<StoredFile>(`select ${COLUMNS} from files where file_id = ?`, fileId);

export const fileBytes = (world: World, fileId: number): Uint8Array | undefined =>
  world.store.get<{ bytes: Uint8Array }>("select bytes from files where file_id = ?", fileId)?.bytes;

/** Stores one uploaded part (https://core.telegram.org/api/files#uploading-files). */
export function savePart(world: World, userId: number, fileId: Long, part: number, bytes: Uint8Array): void {
  if (bytes.length === 0) throw rpcError("FILE_PART_EMPTY");
  if (bytes.length > LARGEST_PART) throw rpcError("FILE_PART_TOO_BIG");
  if (part < 0 || part >= MOST_PARTS) throw rpcError("FILE_PART_INVALID");
  world.store.run(
    "insert or replace into file_parts (user_id, file_id, part, bytes, saved_at) values (?, ?, ?, ?, ?)",
    userId,
    fileId.toString(),
    part,
    bytes,
    unixTime(world),
  );
}

/** Deletes parts that were uploaded more than a day ago and not sent. */
export function forgetOldParts(world: World): void {
  world.store.run("delete from file_parts where saved_at < ?", unixTime(world) - 86_400);
}

/** Assembles an uploaded file; refuses like the real network when parts are missing or uneven. */
export function assemble(world: World, userId: number, file: tl.TypeInputFile): Buffer {
  if (file._ === "inputFileStoryDocument") throw rpcError("MEDIA_INVALID");
  if (file.parts < 1 || file.parts > MOST_PARTS) throw rpcError("FILE_PARTS_INVALID");
  const parts = world.store.all<{ part: number; bytes: Uint8Array }>(
    "select part, bytes from file_parts where user_id = ? and file_id = ? order by part",
    userId,
    file.id.toString(),
  );
  const missing = Array.from({ length: file.parts }, (_none, part) => part).find((part) => parts[part]?.part !== part);
  if (missing !== undefined) throw rpcError(`FILE_PART_${missing}_MISSING`);
  const partSize = parts[0]?.bytes.length ?? 0;
  const uneven = parts.slice(0, file.parts - 1).some(({ bytes }) => bytes.length !== partSize);
  if (uneven || (file.parts > 1 && (partSize % 1024 !== 0 || LARGEST_PART % partSize !== 0))) {
    throw rpcError("FILE_PART_SIZE_INVALID");
  }
  return Buffer.concat(parts.slice(0, file.parts).map(({ bytes }) => bytes));
}

export type NewFile = Omit<StoredFile, "file_id" | "size" | "created_at" | "attributes"> & {
  attributes: tl.TypeDocumentAttribute[];
  bytes: Uint8Array;
};

export function addFile(world: World, file: NewFile): StoredFile {
  const createdAt = unixTime(world);
  const attributes = serialize(file.attributes);
  const { id } = world.store.run(
    "insert into files (kind, mime_type, name, size, width, height, attributes, dc_id, created_at, bytes) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    file.kind,
    file.mime_type,
    file.name,
    file.bytes.length,
    file.width,
    file.height,
    attributes,
    file.dc_id,
    createdAt,
    file.bytes,
  );
  const { bytes, ...rest } = file;
  return { ...rest, file_id: id, size: bytes.length, attributes, created_at: createdAt };
}

const longId = (fileId: number): Long => Long.fromNumber(fileId).add(Long.fromString("5000000000000000000"));

/** Returns a file by its id, if the access hash is the viewer's own. */
export function fileByReference(world: World, viewerId: number, id: Long, accessHash: Long): StoredFile | undefined {
  const file = fileById(world, id.sub(Long.fromString("5000000000000000000")).toNumber());
  return file !== undefined && accessHash.eq(fileAccessHash(world, viewerId, file.file_id)) ? file : undefined;
}

const fileAccessHash = (world: World, viewerId: number, fileId: number): Long =>
  secretLong(world, `file:${viewerId}:${fileId}`);

const fileReference = (world: World, fileId: number): Buffer =>
  hmac(world.secret, `file-reference:${fileId}`).subarray(0, 16);

function photoFor(world: World, viewerId: number, file: StoredFile): tl.RawPhoto {
  return {
    _: "photo",
    id: longId(file.file_id),
    accessHash: fileAccessHash(world, viewerId, file.file_id),
    fileReference: fileReference(world, file.file_id),
    date: file.created_at,
    sizes: [
      ...(file.file_id === Number(world.store.meta("sample_photo")) ? [samplePreview()] : []),
      { _: "photoSize", type: "x", w: file.width ?? 800, h: file.height ?? 600, size: file.size },
    ],
    dcId: file.dc_id,
  };
}

function documentFor(world: World, viewerId: number, file: StoredFile): tl.RawDocument {
  const attributes = file.attributes === null ? [] : (deserializeAll(file.attributes) as tl.TypeDocumentAttribute[]);
  return {
    _: "document",
    id: longId(file.file_id),
    accessHash: fileAccessHash(world, viewerId, file.file_id),
    fileReference: fileReference(world, file.file_id),
    date: file.created_at,
    mimeType: file.mime_type,
    size: file.size,
    dcId: file.dc_id,
    attributes,
  };
}

/** Returns the media constructor of a message with the file. */
export function mediaFor(world: World, viewerId: number, fileId: number | null): tl.TypeMessageMedia | undefined {
  const file = fileId === null ? undefined : fileById(world, fileId);
  if (file === undefined) return undefined;
  if (file.kind === "photo") return { _: "messageMediaPhoto", photo: photoFor(world, viewerId, file) };
  const video = file.mime_type.startsWith("video/");
  return { _: "messageMediaDocument", video, document: documentFor(world, viewerId, file) };
}
