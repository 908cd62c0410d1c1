import { createWriteStream } from "node:fs";
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import type { FastifyRequest } from "fastify";
import "@fastify/multipart";
import { ProblemError } from "../core/problem.ts";

/** 100,000 rows with long notes. */
const FILE_MAX_BYTES = 67_108_864;
const FIELD_MAX_BYTES = 65_536;

const unreadable = (message: string) => new ProblemError(422, "invalid_input", message);
const tooLarge = () =>
  new ProblemError(
    413,
    "file_too_large",
    "The file is larger than 64 MB. Split it and import the parts one after another.",
  );

/**
 * Keeps the form's `file` on disk while `work` reads it, and gives the other parts as texts. Nothing is left of it afterwards.
 * @param work gets null where no file came along
 * @throws ProblemError 413 when the file is over 64 MB, 422 when the form cannot be read
 */
export async function withUpload<T>(
  request: FastifyRequest,
  work: (file: string | null, fields: Record<string, string>) => Promise<T>,
): Promise<T> {
  if (!request.isMultipart()) throw unreadable("Send a form with the CSV file in the field file.");
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
          throw unreadable("Attach the CSV file in the field file.");
        }
        await pipeline(part.file, createWriteStream(file, { mode: 0o600 }));
        if (part.file.truncated) throw tooLarge();
        hasFile = true;
        continue;
      }
      if (Object.hasOwn(fields, part.fieldname)) throw unreadable(`The field ${part.fieldname} is given twice.`);
      if (typeof part.value !== "string" || part.valueTruncated)
        throw unreadable(`The field ${part.fieldname} is too long.`);
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
  if (code === "FST_FILES_LIMIT") return unreadable("Attach one file only.");
  if (typeof code === "string" && code.startsWith("FST_")) return unreadable("The form could not be read.");
  return error instanceof Error && !("code" in error) ? unreadable("The form could not be read.") : error;
}
