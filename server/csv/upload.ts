import { createWriteStream } from "node:fs";
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import type { FastifyRequest } from "fastify";
import "@fastify/multipart";
import { ProblemError, refuse, refuseInput } from "../core/problem.ts";

/** 100,000 rows with long notes. */
const FILE_MAX_BYTES = 67_108_864;
const FIELD_MAX_BYTES = 65_536;

const tooLarge = () => refuse(413, "file_too_large", { reason: "leads", megabytes: 64 });

/**
 * Stores the form's `file` on disk while `work` reads it, and passes on the other parts as texts. Deletes the file afterwards.
 * @param work gets null if there is no file
 * @throws ProblemError 413 when the file is over 64 MB, 422 when the form cannot be read
 */
export async function withUpload<T>(
  request: FastifyRequest,
  work: (file: string | null, fields: Record<string, string>) => Promise<T>,
): Promise<T> {
  if (!request.isMultipart()) throw refuseInput("body", "csv_form_missing");
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), "leadloom-import-"));
  const file = path.join(folder, "rows.csv");
  try {
    const { fields, hasFile } = await readParts(request, file);
    return await work(hasFile ? file : null, fields);
  } finally {
    await fs.rm(folder, { recursive: true, force: true });
  }
}

async function readParts(
  request: FastifyRequest,
  file: string,
): Promise<{ fields: Record<string, string>; hasFile: boolean }> {
  const fields: Record<string, string> = {};
  let hasFile = false;
  const limits = { fileSize: FILE_MAX_BYTES, files: 1, fields: 10, parts: 11, fieldSize: FIELD_MAX_BYTES };
  try {
    for await (const part of request.parts({ limits })) {
      if (part.type === "file") {
        if (part.fieldname !== "file") {
          part.file.resume();
          throw refuseInput("file", "csv_file_missing");
        }
        await pipeline(part.file, createWriteStream(file, { mode: 0o600 }));
        if (part.file.truncated) throw tooLarge();
        hasFile = true;
        continue;
      }
      if (Object.hasOwn(fields, part.fieldname))
        throw refuseInput(part.fieldname, "form_field_twice", { field: part.fieldname });
      if (typeof part.value !== "string" || part.valueTruncated)
        throw refuseInput(part.fieldname, "form_field_too_long", { field: part.fieldname });
      fields[part.fieldname] = part.value;
    }
  } catch (error) {
    throw asProblem(error);
  }
  return { fields, hasFile };
}

function asProblem(error: unknown): unknown {
  if (error instanceof ProblemError) return error;
  const code = (error as { code?: unknown }).code;
  if (code === "FST_REQ_FILE_TOO_LARGE") return tooLarge();
  if (code === "FST_FILES_LIMIT") return refuseInput("body", "one_file_only");
  if (typeof code === "string" && code.startsWith("FST_")) return refuseInput("body", "form_unreadable");
  return error instanceof Error && !("code" in error) ? refuseInput("body", "form_unreadable") : error;
}
