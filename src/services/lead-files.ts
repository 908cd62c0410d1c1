import { reasonEntries } from "../../domain/schema-parts.ts";
import { reasonOf } from "../../domain/stored-reasons.ts";
import * as v from "valibot";
import { saveFile } from "./browser.ts";
import type { Http } from "./http.ts";

const value = v.optional(v.nullable(v.union([v.string(), v.number(), v.array(v.string())])), null);
const Result = v.object({
  matched: v.number(),
  changed: v.number(),
  unmatched: v.array(v.object({ row: v.number(), words: v.string(), ...reasonEntries("words") })),
  unmatched_total: v.optional(v.number()),
  changes: v.optional(
    v.array(
      v.object({
        row: v.number(),
        lead: v.object({ name: v.optional(v.nullable(v.string()), null) }),
        target: v.string(),
        before: value,
        after: value,
      }),
    ),
    [],
  ),
});

export const createLeadFilesGateway = (http: Http) => ({
  /** Returns all leads that match `query` as CSV text. */
  exportFile: async (query: string): Promise<string> =>
    String(await http<unknown>(query === "" ? "/leads/export" : `/leads/export?${query}`)),

  /** Previews what a file changes, or imports it: all of it or nothing. */
  importFile: async (request: { file: File; mapping: Readonly<Record<string, string>>; isDryRun: boolean }) => {
    const body = new FormData();
    body.set("mapping", JSON.stringify(request.mapping));
    body.set("dry_run", String(request.isDryRun));
    body.set("file", request.file, request.file.name);
    const answer = v.parse(Result, await http("/leads/import", { method: "POST", body }));
    const { matched, changed, unmatched, unmatched_total: unmatchedTotal = unmatched.length, changes } = answer;
    return {
      matched,
      changed,
      unmatched: unmatched.map((one) => ({ row: one.row, reason: reasonOf(one, "words") ?? "" })),
      unmatchedTotal,
      changes: changes.map(({ row, lead, target, before, after }) => ({
        row,
        name: lead.name,
        target,
        before: [before ?? []].flat().map(String),
        after: [after ?? []].flat().map(String),
      })),
    };
  },
});

/** Saves CSV text on the user's device. The byte order mark tells spreadsheets the encoding. */
export const saveCsv = (text: string, name: string): void =>
  saveFile(new Blob(["\uFEFF", text.replace(/^\uFEFF/, "")], { type: "text/csv;charset=utf-8" }), name);
