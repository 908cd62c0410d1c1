import { createWriteStream } from "node:fs";
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import type { FastifyRequest } from "fastify";
import "@fastify/multipart";
import { ProblemError, refuse, refuseInput } from "../core/problem.ts";

const MB = 1_048_576;

/** An uploaded file on disk, until `remove` is called. */
export type StoredUpload = { file: string; remove(): Promise<void> };

const missing = () => refuseInput("file", "export_file_missing", null, "Is missing.");

/**
 * Stores the form's `file` on disk and refuses any other part.
 * @throws ProblemError 413 over `mostBytes`, 422 if the form cannot be read; the file is deleted then
 */
export async function storeUpload(request: FastifyRequest, mostBytes: number): Promise<StoredUpload> {
  if (!request.isMultipart()) throw refuseInput("body", "export_form_missing");
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), "leadloom-archive-"));
  const remove = () => fs.rm(folder, { recursive: true, force: true });
  try {
    const file = path.join(folder, "archive.zip");
    await receive(request, file, mostBytes);
    return { file, remove };
  } catch (error) {
    await remove();
    throw asProblem(error, mostBytes);
  }
}

async function receive(request: FastifyRequest, file: string, mostBytes: number): Promise<void> {
  let hasFile = false;
  for await (const part of request.parts({ limits: { fileSize: mostBytes, files: 1, fields: 1, parts: 2 } })) {
    if (part.type !== "file" || part.fieldname !== "file") {
      if (part.type === "file") part.file.resume();
      throw refuseInput(part.fieldname, "export_form_unknown_field", { field: part.fieldname });
    }
    await pipeline(part.file, createWriteStream(file, { mode: 0o600 }));
    if (part.file.truncated) throw tooLarge(mostBytes);
    hasFile = true;
  }
  if (!hasFile) throw missing();
}

const tooLarge = (mostBytes: number) =>
  refuse(413, "file_too_large", { reason: "export", megabytes: Math.floor(mostBytes / MB) });

function asProblem(error: unknown, mostBytes: number): unknown {
  if (error instanceof ProblemError) return error;
  const code = (error as { code?: unknown }).code;
  if (code === "FST_REQ_FILE_TOO_LARGE") return tooLarge(mostBytes);
  if (code === "FST_FILES_LIMIT") return refuseInput("body", "one_file_only");
  if (typeof code === "string" && code.startsWith("FST_")) return refuseInput("body", "form_unreadable");
  return error instanceof Error && !("code" in error) ? refuseInput("body", "form_unreadable") : error;
}
