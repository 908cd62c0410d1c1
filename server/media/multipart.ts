import type { FastifyRequest } from "fastify";
import "@fastify/multipart";
import { MEDIA_MAX_BYTES } from "../../domain/limits.ts";
import { ProblemError, refuseInput } from "../core/problem.ts";
import { tooLarge } from "./store.ts";

export type MultipartForm = { fields: Record<string, string>; file: Uint8Array | null };

/** The longest field is a list of lead ids. */
const FIELD_MAX_BYTES = 256 * 1024;
/**
 * Reads a form of text fields and at most one file, named `media`. A form without a file may be JSON.
 * @throws ProblemError 413 when the file is over 10,485,760 bytes, 422 for a second or unknown file
 */
export async function readForm(request: FastifyRequest): Promise<MultipartForm> {
  if (!request.isMultipart()) return { fields: textFields(request.body), file: null };
  const fields: Record<string, string> = Object.create(null) as Record<string, string>;
  let file: Uint8Array | null = null;
  const parts = request.parts({
    limits: { fileSize: MEDIA_MAX_BYTES, files: 1, fields: 20, parts: 21, fieldSize: FIELD_MAX_BYTES },
  });
  try {
    for await (const part of parts) {
      if (part.type === "file") {
        const content = await part.toBuffer();
        if (part.file.truncated) throw tooLarge();
        if (part.fieldname !== "media") throw refuseInput("media", "media_field_unknown");
        // Browsers send an empty file input as a part without name and bytes.
        if (content.length > 0 || part.filename) file = content;
      } else {
        if (part.fieldname in fields) throw refuseInput(part.fieldname, "form_field_twice", { field: part.fieldname });
        if (typeof part.value !== "string" || part.valueTruncated)
          throw refuseInput(part.fieldname, "form_field_too_long", { field: part.fieldname });
        // Forms send every line break as CRLF, which would count as two characters.
        fields[part.fieldname] = part.value.replaceAll("\r\n", "\n");
      }
    }
  } catch (error) {
    throw toProblem(error);
  }
  return { fields: { ...fields }, file };
}

function toProblem(error: unknown): unknown {
  if (error instanceof ProblemError) return error;
  const code = (error as { code?: unknown }).code;
  if (code === "FST_REQ_FILE_TOO_LARGE") return tooLarge();
  if (code === "FST_FILES_LIMIT") return refuseInput("body", "one_file_only");
  if (code === "FST_FIELDS_LIMIT" || code === "FST_PARTS_LIMIT") return refuseInput("body", "form_too_many_fields");
  if (typeof code === "string" && code.startsWith("FST_")) return refuseInput("body", "form_unreadable");
  // The parser's own errors for malformed forms have no code.
  return error instanceof Error && !("code" in error) ? refuseInput("body", "form_unreadable") : error;
}

function textFields(body: unknown): Record<string, string> {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return {};
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => [key, typeof value === "number" ? String(value) : value]),
  );
}
