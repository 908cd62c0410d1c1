import { classifySendError } from "../../domain/send-outcome.ts";
import { askUntil } from "../core/ask-until.ts";
import type { Deps, Running } from "../core/deps.ts";
import { onTopic, runWorker } from "../core/worker.ts";
import type { SenderAccount } from "../outbox/port.ts";

type VerifyDeps = Pick<Deps, "db" | "bus" | "clock" | "logger" | "work">;

/** A saved rule waits this long for a word about its channel; then it stays unverified and is checked by and by. */
const VERDICT_WITHIN_MS = 5_000;
const POLL_MS = 1_000;

/** Telegram's own word on how long to wait comes first; then it is tried again after this long. */
const AGAIN_AFTER_MS = 60_000;
const LONGEST_WAIT_MS = 3_600_000;

/**
 * Checks the channels of an account's unverified rules: now, and whenever one is saved while this process holds the account. What is no
 * verdict on the channel (a wait, no answer, a lost session) leaves the rule as it is, to be checked again. Rules that rest because
 * another account could not post to their channel work again with this one.
 */
export function startReminderChecks(deps: VerifyDeps, account: SenderAccount): Running {
  let haveReturned = false;
  return runWorker(deps, {
    name: "reminder channels",
    wakeOn: onTopic(deps, "reminder.saved", account.userId),
    idleMs: LONGEST_WAIT_MS,
    retryMs: waitOf,
    signal: account.signal,
    onFailure(error) {
      deps.logger.warn({ err: error, account: account.accountId }, "a reminder's channel was not checked");
    },
    async work({ isOver }) {
      if (!haveReturned) await rulesReturn(deps, account);
      haveReturned = true;
      await checkChannels(deps, account, isOver);
      return null;
    },
  });
}

function waitOf(error: unknown): number {
  const outcome = classifySendError(error);
  return outcome.kind === "wait" ? Math.min(outcome.seconds * 1000, LONGEST_WAIT_MS) : AGAIN_AFTER_MS;
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
 * Waits a moment while the process that holds the account checks the channel of a saved rule.
 * @returns why the channel is refused; null when it is fine, or no account is there to ask
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
  const answer = await askUntil(
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
