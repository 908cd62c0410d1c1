import type { ReadinessCheck } from "./core/health.ts";
import type { Deps, Running } from "./core/deps.ts";
import { createIntake } from "./leads/index.ts";
import { startSender } from "./outbox/index.ts";
import { startReminderChecks } from "./reminders/index.ts";
import { createStageRules } from "./stages/index.ts";
import { startAccountKeeper, type TelegramConnection } from "./telegram/index.ts";

const MAX_CLOCK_OFFSET_MS = 5_000;

/**
 * Starts this process's share of the background work: it keeps accounts connected, stores what they receive, sends what is due.
 */
export async function startWorkers(
  deps: Deps,
  { connection }: { connection: TelegramConnection },
): Promise<Running & { readiness: ReadinessCheck[] }> {
  const intake = createIntake(deps, createStageRules(deps.db, deps.bus));
  const keeper = await startAccountKeeper(deps, {
    connection,
    async onLeased(account) {
      const parts = [await startSender(deps, account), await startReminderChecks(deps, account)];
      return { stop: async () => void (await Promise.all(parts.map((part) => part.stop()))) };
    },
    onIncoming: (message) => intake.record(message.userId, [message]),
    onEdited: (edit) => intake.recordEdit(edit.userId, edit),
    onDeleted: (deletion) => intake.recordDeletions(deletion.userId, { ...deletion, deletedAt: deletion.at }),
  });
  return {
    readiness: [{ name: "clock", holds: async () => Math.abs(keeper.clockOffsetMs() ?? 0) <= MAX_CLOCK_OFFSET_MS }],
    stop: () => keeper.stop(),
  };
}
