import { ImportRequest, ImportResult } from "../../domain/csv.ts";
import { LeadFilter } from "../../domain/lead-filter.ts";
import { createConcurrencyLimiter } from "../core/concurrency.ts";
import { type Deps, callingKeyName } from "../core/deps.ts";
import { refuseInput } from "../core/problem.ts";
import { parse, type Route, sendStream } from "../core/routes.ts";
import { exportLeads } from "./export.ts";
import { importRows } from "./import.ts";
import { withUpload } from "./upload.ts";

/** Concurrent exports and imports in a process, one of each per owner. */
const AT_ONCE = { atOnce: 2, mostWaiting: 20, waitMs: 20_000 };

/** `GET /api/leads/export` and `POST /api/leads/import`: leads as a spreadsheet file, and back. */
export function registerCsv(route: Route, deps: Deps): void {
  const exports = createConcurrencyLimiter(deps.clock, {
    busyWith: "lead_exports",
    ...AT_ONCE,
  });
  const imports = createConcurrencyLimiter(deps.clock, { busyWith: "lead_imports", ...AT_ONCE });
  const shared = { tag: "Leads", gate: "subscribed" } as const;
  route({
    ...shared,
    method: "GET",
    url: "/api/leads/export",
    scope: "read",
    id: "exportLeads",
    summary: "Export the leads that match the list's filters as CSV",
    description:
      "UTF-8 with a byte order mark, commas, and an apostrophe before texts that a spreadsheet would treat as formulas.",
    media: "text/csv",
    query: LeadFilter,
    handler: async ({ caller, query, reply }) => {
      const lines = await exports.stream(caller.id, () => exportLeads(deps.db, caller.id, query));
      void reply
        .header("content-disposition", `attachment; filename="leads-${deps.clock.iso().slice(0, 10)}.csv"`)
        .type("text/csv; charset=utf-8");
      return sendStream(reply, lines);
    },
  });
  route({
    ...shared,
    method: "POST",
    url: "/api/leads/import",
    scope: "write",
    id: "importLeads",
    summary: "Change leads by a CSV file",
    description: "All rows or none. An empty cell changes nothing; rows are matched by Telegram id or username.",
    form: { fields: ImportRequest, file: { name: "file", description: "The CSV file.", isRequired: true } },
    refuses: { 409: ["fields_changed", "too_many_tags"], 413: ["file_too_large"], 422: ["row_unreadable"] },
    consumes: "multipart",
    answer: ImportResult,
    handler: ({ caller, request }) =>
      withUpload(request, async (file, fields) => {
        const { mapping, dry_run: isDryRun } = parse(ImportRequest, fields);
        if (file === null) throw refuseInput("file", "csv_file_missing", null, "Is missing.");
        const byKey = callingKeyName(caller);
        return imports.run(caller.id, () => importRows(deps, { ownerId: caller.id, file, mapping, isDryRun, byKey }));
      }),
  });
}
