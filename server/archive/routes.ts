import * as v from "valibot";
import { AccountImport } from "../../domain/archive.ts";
import { createConcurrencyLimiter } from "../core/concurrency.ts";
import type { Deps, Running } from "../core/deps.ts";
import type { Route } from "../core/routes.ts";
import { openLimiter, rateLimitError } from "../core/limits.ts";
import { openArchive, type Archive } from "./open.ts";
import { startImport, readImport, requireDisconnected, requireEmptyAccount } from "./imports.ts";
import { checkArchive } from "./read.ts";
import { markStopped, removeStopped, runImport, type Job } from "./run.ts";
import { storeUpload, type StoredUpload } from "./upload.ts";

/** Concurrent imports in a process, one per owner. */
const AT_ONCE = { busyWith: "imports", atOnce: 2, mostWaiting: 20, waitMs: 20_000 } as const;

/** Concurrent uploads in a process, one per owner. None waits, because an upload may take minutes. */
const UPLOADS = { busyWith: "imports", atOnce: 20, mostWaiting: 1, eachWaiting: 0, waitMs: 0 } as const;

/** `POST`, `GET` and `DELETE /api/account/import`: imports an archive (docs/export-format.md) into an empty account. */
export function registerArchive(route: Route, deps: Deps): Running {
  const entering = createConcurrencyLimiter(deps.clock, AT_ONCE);
  const uploading = createConcurrencyLimiter(deps.clock, UPLOADS);
  const uploads = openLimiter(deps, "imports", {
    capacity: 10,
    refillSeconds: 120,
    refusal: rateLimitError("imports"),
  });
  const imports = deps.work.part("imports");
  let isStopping = false;

  const start = (job: Job, archive: Archive, upload: StoredUpload) => {
    const run = runImport(deps, job, archive, () => isStopping)
      .catch((error: unknown) =>
        deps.logger.error({ err: error, import: job.id }, "an archive import failed unexpectedly"),
      )
      .then(async () => {
        archive.close();
        await upload.remove();
      });
    void imports.track("import an archive", run);
  };

  /** Checks the whole archive before changing anything and before the response. */
  const take = async (ownerId: string, upload: StoredUpload): Promise<AccountImport> => {
    const archive = await openArchive(upload.file, deps.config.accountImportBytes);
    try {
      await checkArchive(archive);
      const total = archive.manifest.files.reduce((sum, { rows = 0 }) => sum + rows, 0);
      const started = await startImport(deps, ownerId, total);
      start({ id: started.id, ownerId }, archive, upload);
      return started;
    } catch (error) {
      archive.close();
      throw error;
    }
  };

  const shared = { tag: "Account", scope: "person", url: "/api/account/import", answer: AccountImport } as const;
  route({
    ...shared,
    method: "POST",
    gate: "subscribed",
    id: "importAccount",
    summary: "Import an exported zip into an empty account",
    description:
      "Imports leads, messages, stages, follow-ups, tags, fields and history, with new ids. Everything is checked before the response; then the import runs, and the GET reports its progress. It sends nothing, and automation is imported switched off.",
    form: { fields: v.strictObject({}), file: { name: "file", description: "The zip file.", isRequired: true } },
    refuses: {
      409: ["account_not_empty", "telegram_connected"],
      413: ["file_too_large"],
      422: ["archive_broken", "archive_changed", "archive_newer", "archive_unknown"],
    },
    consumes: "multipart",
    status: 202,
    handler: ({ caller, request }) =>
      uploading.run(caller.id, async () => {
        await uploads.use(caller.id);
        // Refuses before the client uploads a large file.
        await requireDisconnected(deps.db, caller.id, deps.clock.iso());
        await requireEmptyAccount(deps.db, caller.id);
        const upload = await storeUpload(request, deps.config.accountImportBytes);
        try {
          return await entering.run(caller.id, () => take(caller.id, upload));
        } catch (error) {
          await upload.remove();
          throw error;
        }
      }),
  });
  route({
    ...shared,
    method: "GET",
    gate: "signedIn",
    id: "readAccountImport",
    refuses: { 404: ["not_found"] },
    summary: "Read the progress of an archive import, or how the last one ended",
    handler: ({ caller }) => readImport(deps.db, caller.id),
  });
  route({
    ...shared,
    method: "DELETE",
    gate: "signedIn",
    id: "cancelAccountImport",
    refuses: { 404: ["not_found"] },
    summary: "Cancel an archive import",
    description: "Imported rows are removed again. `GET /api/account/import` reports when that is done.",
    handler: async ({ caller }) => {
      const job = await markStopped(deps, caller.id);
      if (job !== null)
        void imports.track(
          "remove a stopped import",
          removeStopped(deps, job, () => isStopping).catch((error: unknown) =>
            deps.logger.error({ err: error, import: job.id }, "removing a cancelled import failed"),
          ),
        );
      return readImport(deps.db, caller.id);
    },
  });
  return {
    async stop() {
      isStopping = true;
      await imports.settled();
    },
  };
}
