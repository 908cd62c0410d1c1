import { classifySendError } from "../../domain/send-outcome.ts";
import { pollUntil } from "../core/poll-until.ts";
import type { Deps, Running } from "../core/deps.ts";
import { onTopic, runWorker } from "../core/worker.ts";
import type { SenderAccount } from "../outbox/port.ts";

type VerifyDeps = Pick<Deps, "db" | "bus" | "clock" | "logger" | "work">;

/** How long saving a rule waits for the channel check; after that the rule stays unverified and is checked in the background. */
const VERDICT_WITHIN_MS = 5_000;
const POLL_MS = 1_000;

/** Retry delay, unless Telegram says how long to wait. */
const AGAIN_AFTER_MS = 60_000;
const LONGEST_WAIT_MS = 3_600_000;

/**
 * Checks the channels of an account's unverified rules: at once, and whenever one is saved while this process holds the account. A wait, a
 * missing response or a lost session leaves the rule unverified for a retry. Rules disabled because another account could not post to their
 * channel work again with this account.
 */
export function startReminderChecks(deps: VerifyDeps, account: SenderAccount): Running {
  let haveReturned = false;
  /** Telegram asked not to be called before then (product time). */
  let waitUntil = 0;
  return runWorker(deps, {
    name: "reminder channels",
    wakeOn: onTopic(deps, "reminder.saved", account.userId),
    idleMs: LONGEST_WAIT_MS,
    retryMs(error) {
      const outcome = classifySendError(error);
      if (outcome.kind !== "wait") return AGAIN_AFTER_MS;
      const waitMs = Math.min(outcome.seconds * 1000, LONGEST_WAIT_MS);
      waitUntil = deps.clock.now() + waitMs;
      return waitMs;
    },
    signal: account.signal,
    onFailure(error) {
      deps.logger.warn({ err: error, account: account.accountId }, "could not check a reminder's channel");
    },
    async work({ isOver }) {
      if (deps.clock.now() < waitUntil) return waitUntil;
      if (!haveReturned) await rulesReturn(deps, account);
      haveReturned = true;
      await checkChannels(deps, account, isOver);
      return null;
    },
  });
}

async function rulesReturn({ db }: VerifyDeps, account: SenderAccount): Promise<void> {
  await db
    .updateTable("reminders")
    .set({ is_enabled: true, disabled_reason: null, disabled_account: null, verified_at: null })
    .where("owner_id", "=", account.userId)
    .where("is_enabled", "=", false)
    .where("disabled_account", "is not", null)
    .where("disabled_account", "!=", account.telegramUserId)
    .where("stage_id", "is not", null)
    .execute();
}

async function checkChannels(deps: VerifyDeps, account: SenderAccount, isOver: () => boolean): Promise<void> {
  const open = await deps.db
    .selectFrom("reminders")
    .select(["id", "channel_id"])
    .where("owner_id", "=", account.userId)
    .where("is_enabled", "=", true)
    .where("deleted_at", "is", null)
    .where("verified_at", "is", null)
    .execute();
  for (const { id, channel_id: channel } of open) {
    if (isOver()) return;
    const found = await account.port.checkChannel(channel);
    await deps.db
      .updateTable("reminders")
      .set(
        found.ok
          ? { verified_at: deps.clock.iso() }
          : { is_enabled: false, disabled_reason: found.reason, disabled_account: account.telegramUserId },
      )
      .where("id", "=", id)
      .where("channel_id", "=", channel)
      .execute();
    await deps.bus.publish("reminder.checked", { reminder_id: id });
  }
}

/**
 * Waits briefly while the process that holds the account checks a saved rule's channel.
 * @returns why the channel is refused; null if it is accepted or no account is connected
 */
export async function awaitChannelRefusal(
  deps: VerifyDeps,
  ownerId: string,
  reminderId: string,
): Promise<string | null> {
  const account = await deps.db
    .selectFrom("telegram_sessions")
    .select("id")
    .where("user_id", "=", ownerId)
    .where("state", "=", "connected")
    .executeTakeFirst();
  if (account === undefined) return null;
  await deps.bus.publish("reminder.saved", { owner_id: ownerId, reminder_id: reminderId });
  const answer = await pollUntil(
    deps,
    async () => {
      const rule = await deps.db
        .selectFrom("reminders")
        .select(["verified_at", "disabled_reason"])
        .where("id", "=", reminderId)
        .executeTakeFirst();
      const isFine = rule === undefined || rule.verified_at !== null;
      return isFine || rule.disabled_reason !== null ? { refusal: isFine ? null : rule.disabled_reason } : null;
    },
    {
      onNews: (look) => deps.bus.on("reminder.checked", ({ reminder_id: id }) => id === reminderId && look()),
      everyMs: POLL_MS,
      withinMs: VERDICT_WITHIN_MS,
    },
  );
  return answer?.refusal ?? null;
}
