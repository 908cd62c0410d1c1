import type { Deps, Running } from "../core/deps.ts";
import type { SenderAccount } from "../outbox/index.ts";

type VerifyDeps = Pick<Deps, "db" | "bus" | "clock" | "logger">;

/** A saved rule waits this long for a word about its channel; then it stays unverified and is checked by and by. */
const VERDICT_WITHIN_MS = 5_000;
const POLL_MS = 200;

/** Checks the channels of an account's unverified rules: now, and whenever one is saved while this process holds the account. */
export async function startReminderChecks(deps: VerifyDeps, account: SenderAccount): Promise<Running> {
  let last: Promise<void> = Promise.resolve();
  const check = () => {
    last = last
      .then(() => checkChannels(deps, account))
      .catch((error: unknown) =>
        deps.logger.warn({ err: error, account: account.accountId }, "a reminder's channel was not checked"),
      );
  };
  const off = deps.bus.on("reminder.saved", ({ owner_id }) => owner_id === account.userId && check());
  check();
  return {
    async stop() {
      off();
      await last;
    },
  };
}

async function checkChannels(deps: VerifyDeps, account: SenderAccount): Promise<void> {
  const open = await deps.db
    .selectFrom("reminders")
    .select(["id", "channel_id"])
    .where("owner_id", "=", account.userId)
    .where("is_enabled", "=", true)
    .where("deleted_at", "is", null)
    .where("verified_at", "is", null)
    .execute();
  for (const { id, channel_id: channel } of open) {
    if (account.signal.aborted) return;
    const found = await account.port.checkChannel(channel);
    await deps.db
      .updateTable("reminders")
      .set(found.ok ? { verified_at: deps.clock.iso() } : { is_enabled: false, disabled_reason: found.reason })
      .where("id", "=", id)
      .where("channel_id", "=", channel)
      .execute();
  }
}

/**
 * Waits a moment for the verdict on a saved rule's channel, by whichever process holds the account.
 * @returns why the channel is refused; null when it is fine, or no account is there to ask
 */
export async function awaitVerdict(deps: VerifyDeps, ownerId: string, reminderId: string): Promise<string | null> {
  const account = await deps.db
    .selectFrom("telegram_sessions")
    .select("id")
    .where("user_id", "=", ownerId)
    .where("state", "=", "connected")
    .executeTakeFirst();
  if (account === undefined) return null;
  await deps.bus.publish("reminder.saved", { owner_id: ownerId, reminder_id: reminderId });
  for (const until = Date.now() + VERDICT_WITHIN_MS; Date.now() < until;) {
    const rule = await deps.db
      .selectFrom("reminders")
      .select(["verified_at", "disabled_reason"])
      .where("id", "=", reminderId)
      .executeTakeFirst();
    if (rule === undefined || rule.verified_at !== null) return null;
    if (rule.disabled_reason !== null) return rule.disabled_reason;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return null;
}
