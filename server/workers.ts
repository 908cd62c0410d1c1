import type { ReadinessCheck } from "./core/health.ts";
import type { Deps, Running } from "./core/deps.ts";
import type { Metrics } from "./core/metrics.ts";
import { writeBackup } from "./db/backup.ts";
import { startAccountWork, startPlanning } from "./automation/index.ts";
import { startBatchWorker } from "./batch/worker.ts";
import { startEraser } from "./exclusions/erase.ts";
import { createIntake } from "./leads/intake.ts";
import { createStageRules } from "./stages/rules.ts";
import { createWakes } from "./outbox/wakes.ts";
import { startAccountKeeper, type TelegramConnection } from "./telegram/index.ts";
import { startWebhookCourier } from "./webhooks/courier.ts";

const MAX_CLOCK_OFFSET_MS = 5_000;
const MAX_BEAT_AGE_MS = 30_000;

/** Starts this process's background work: keeps accounts connected, stores what they receive, sends what is due. */
export async function startWorkers(
  deps: Deps,
  { connection, metrics }: { connection: TelegramConnection; metrics: Metrics },
): Promise<Running & { readiness: ReadinessCheck[] }> {
  const intake = createIntake(deps, createStageRules(deps.db, deps.bus));
  if (deps.engine.kind === "pglite") {
    await freeLeases(deps);
    scheduleBackups(deps, deps.config.dataDir);
  }
  const planning = await startPlanning(deps);
  const eraser = startEraser(deps);
  const batches = startBatchWorker(deps);
  const webhooks = await startWebhookCourier(deps, { onTry: metrics.countDelivery });
  const wakes = createWakes(deps);
  const keeper = await startAccountKeeper(deps, {
    connection,
    onLeased: (account) => startAccountWork(deps, account, wakes, intake.recordChat, metrics.countSend),
    onIncoming: async (messages) => {
      await intake.record(messages[0].userId, messages);
      messages.forEach(() => metrics.countIntake());
    },
    onEdited: (edit) => intake.recordEdit(edit.userId, edit),
    onDeleted: (deletion) => intake.recordDeletions(deletion.userId, { ...deletion, deletedAt: deletion.at }),
    onRead: (read) => intake.recordRead(read.userId, read),
  });
  metrics.gauge("leadloom_accounts_held", "Telegram accounts in this worker's hands.", () => keeper.held().length);
  metrics.gauge("leadloom_accounts_unusable", "Of them, those not usable for a minute or longer.", keeper.unusable);
  return {
    readiness: [
      { name: "clock", holds: async () => Math.abs(keeper.clockOffsetMs() ?? 0) <= MAX_CLOCK_OFFSET_MS },
      { name: "worker", holds: async () => keeper.beatAgeMs() <= MAX_BEAT_AGE_MS },
    ],
    async stop() {
      // Stops them in parallel; they do not depend on each other.
      const stopped = await Promise.allSettled(
        [planning, eraser, batches, webhooks, keeper].map((part) => part.stop()),
      );
      await wakes.stop();
      const failed = stopped.find(({ status }) => status === "rejected");
      if (failed?.status === "rejected") throw failed.reason;
    },
  };
}

/** Backs up the embedded database to a file every hour and on request. */
function scheduleBackups({ engine, jobs }: Deps, dataDir: string): void {
  const backUp = () => writeBackup(engine, dataDir);
  jobs.schedule("backup", "7 * * * *", async () => void (await backUp()));
  engine.onBackupAsked(backUp);
}

/** Only one process uses the embedded database, so any previous lease holder is dead; its lease need not expire first. */
async function freeLeases({ db }: Deps): Promise<void> {
  await db.deleteFrom("telegram_workers").execute();
}
