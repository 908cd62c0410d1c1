import { Readable } from "node:stream";
import { ExportQuery } from "../../domain/archive.ts";
import { AccountDelete } from "../../domain/user.ts";
import type { Credentials } from "../auth/index.ts";
import { audit } from "../core/audit.ts";
import { createConcurrencyLimiter } from "../core/concurrency.ts";
import type { Deps } from "../core/deps.ts";
import { openLimiter, rateLimitError } from "../core/limits.ts";
import { refuse } from "../core/problem.ts";
import { type Route, sendStream } from "../core/routes.ts";
import type { Db } from "../db/index.ts";
import { exportOf } from "./export.ts";
import { ERASE_ACCOUNTS, finishErasures } from "./leaving.ts";

export { eraseParts } from "./batches.ts";
export { scheduleErasures } from "./leaving.ts";

/** What must end outside the database before an account is erased. */
export type ErasureParts = {
  credentials: Credentials;
  /** logs out at Telegram; false if no account was connected */
  disconnectTelegram(userId: string): Promise<void>;
  /** drops a session from this process's cache at once; other processes are notified */
  forgetSession?(sessionId: string): void;
  /** ends paid subscriptions at once */
  cancelSubscription(userId: string): Promise<void>;
};

const tag = "Account";
const gate = "signedIn";

/** Routes for exporting and deleting the account. Both are open without a subscription. */
export function registerPrivacy(
  route: Route,
  deps: Deps,
  parts: ErasureParts & {
    /** all data of an owner in the open format */
    archiveOf(db: Db, ownerId: string, at: string): Promise<Readable>;
  },
): void {
  const exports = openLimiter(deps, "exports", {
    capacity: 5,
    refillSeconds: 600,
    refusal: rateLimitError("exports"),
  });
  const archives = createConcurrencyLimiter(deps.clock, {
    busyWith: "exports",
    atOnce: 2,
    mostWaiting: 20,
    waitMs: 20_000,
  });
  route({
    method: "GET",
    url: "/api/account/export",
    scope: "person",
    id: "exportAccount",
    summary: "Export the caller's data as one JSON file, or as a zip of CSV and JSON",
    description:
      "With `format=zip` the response is `application/zip` in the open format: tables as CSV, uploaded files, a manifest with checksums. `POST /api/account/import` takes it.",
    media: ["application/json", "application/zip"],
    tag,
    gate,
    query: ExportQuery,
    handler: async ({ caller, query, reply }) => {
      await exports.use(caller.id);
      const at = deps.clock.iso();
      await audit(deps.db, { userId: caller.id, action: "data_exported", at });
      if (query.format === "zip") {
        // Only reading the rows takes a slot: a slow connection delays no other archive.
        const zip = await archives.run(caller.id, () => parts.archiveOf(deps.db, caller.id, at));
        void reply
          .header("content-disposition", `attachment; filename="leadloom-export-${at.slice(0, 10)}.zip"`)
          .type("application/zip");
        return sendStream(reply, zip);
      }
      return reply
        .header("content-disposition", `attachment; filename="leadloom-export-${at.slice(0, 10)}.json"`)
        .type("application/json; charset=utf-8")
        .send(Readable.from(exportOf(deps.db, caller.id, at)));
    },
  });
  route({
    method: "DELETE",
    url: "/api/account",
    scope: "person",
    id: "deleteAccount",
    summary: "End the subscription, log out of Telegram and erase the account",
    refuses: { 422: ["password_invalid"], 503: ["subscription_not_ended"] },
    tag,
    gate,
    body: AccountDelete,
    handler: async ({ caller, body, request }) => {
      if (!(await parts.credentials.isPassword(caller, body.password, request.ip))) {
        const fields = { password: "That is not your password." };
        throw refuse(422, "password_invalid", { reason: "own" }, { fields });
      }
      await eraseAccount(deps, parts, caller.id);
      parts.forgetSession?.(caller.sessionId);
      return { success: true };
    },
  });
}

/** A small account is erased before the response; a large one is closed, and a worker continues to erase it. */
const ANSWER_WITHIN_MS = 10_000;

/**
 * Closes and erases a user's account. If the subscription cannot be cancelled, nothing is erased, so that no deleted account is billed. An
 * unreachable Telegram does not prevent deletion.
 * @throws ProblemError 503 when the card provider is unavailable; a repeated request continues
 */
async function eraseAccount(deps: Deps, parts: ErasureParts, userId: string): Promise<void> {
  await parts.cancelSubscription(userId).catch((error: unknown) => {
    deps.logger.error({ err: error, user: userId }, "a subscription could not be cancelled");
    throw refuse(503, "subscription_not_ended", null, { retryAfterSeconds: 60 });
  });
  await parts.disconnectTelegram(userId).catch((error: unknown) => {
    deps.logger.warn({ err: error, user: userId }, "could not log out at Telegram before erasing an account");
  });
  await parts.credentials.close(userId);
  await finishErasures(deps, parts.credentials, { userId, forMs: ANSWER_WITHIN_MS });
  await deps.jobs.trigger(ERASE_ACCOUNTS);
}
