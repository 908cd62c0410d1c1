import type { Deps, Running } from "../core/deps.ts";
import type { Work } from "../core/work.ts";
import { forgetRequestKeys } from "../core/request-keys.ts";
import { eraseDeletedParts } from "../crm/soft-delete.ts";
import { forgetImports } from "../csv/import.ts";
import { markPlansStale } from "../followups/stale-plans.ts";
import { eraseDeletedFollowups } from "../followups/deletion.ts";
import { planFollowups } from "../followups/plan.ts";
import { startChatImport, type RecordChat } from "../conversation/import-runner.ts";
import { startFileService } from "../conversation/file-service.ts";
import { startPeerRecovery } from "../conversation/peer-recovery.ts";
import { startReadReceipts } from "../conversation/receipts.ts";
import { foldStandings, forgetEmptyStandings } from "../forecast/standings.ts";
import { forgetContactChecks, startContactChecks } from "../forecast/contact-checks.ts";
import { tidyMedia } from "../media/tidy.ts";
import { foldSettled } from "../outbox/fold.ts";
import { startSender } from "../outbox/sender.ts";
import type { Wakes } from "../outbox/wakes.ts";
import type { HeldAccount } from "../telegram/index.ts";
import { eraseDeletedReminders } from "../reminders/repository.ts";
import { planReminders } from "../reminders/plan.ts";
import { startReminderChecks } from "../reminders/verify.ts";
import { eraseDeletedStages, FINISH_REMOVALS } from "../stages/removal.ts";
import { finishRemovals } from "../stages/removal-lanes.ts";
import { tidyWebhooks } from "../webhooks/tidy.ts";

/**
 * Plans what is due and erases what was deleted, every minute and at once when the clock moves; puts unused files away at night. Call it before the job queue starts.
 */
export async function startPlanning(deps: Deps): Promise<Running> {
  deps.jobs.schedule("followups.plan", "* * * * *", async () => {
    await planFollowups(deps);
    await foldStandings(deps);
  });
  deps.jobs.schedule("reminders.plan", "* * * * *", async () => {
    await planReminders(deps);
  });
  deps.jobs.schedule("deleted.erase", "* * * * *", () => eraseDeleted(deps));
  deps.jobs.schedule(FINISH_REMOVALS, "* * * * *", async () => {
    await finishRemovals(deps);
  });
  deps.jobs.schedule("outbox.fold", "23 * * * *", async () => {
    await foldSettled(deps);
  });
  deps.jobs.schedule("webhooks.tidy", "37 * * * *", async () => {
    await tidyWebhooks(deps);
  });
  deps.jobs.schedule("plans.distrust", "41 3 * * *", async () => {
    await markPlansStale(deps.db);
    await forgetEmptyStandings(deps);
  });
  deps.jobs.schedule("media.tidy", "17 3 * * *", async () => {
    await tidyMedia(deps);
    await forgetRequestKeys(deps);
    await forgetContactChecks(deps);
    await forgetImports(deps);
  });
  const work = deps.work.part("planning");
  const planNow = alone(work, async () => {
    await planFollowups(deps);
    await planReminders(deps);
    await eraseDeleted(deps);
  });
  const off = deps.bus.on("clock.moved", () => {
    planNow().catch((error: unknown) => deps.logger.warn({ err: error }, "planning after a clock change failed"));
  });
  return {
    async stop() {
      off();
      await work.settled();
    },
  };
}

/** What was deleted stays for the minute in which the deletion can be undone, and no longer. */
async function eraseDeleted(deps: Deps): Promise<void> {
  await eraseDeletedFollowups(deps);
  await eraseDeletedReminders(deps);
  await eraseDeletedParts(deps);
  await eraseDeletedStages(deps);
}

/** The work of an account that this process holds: its messages, and the channels of its reminders. */
export async function startAccountWork(
  deps: Deps,
  account: HeldAccount,
  wakes: Wakes,
  recordChat: RecordChat,
  onAnswer?: (kind: string, outcome: string) => void,
): Promise<Running> {
  const parts = [
    await startSender(deps, account, wakes, onAnswer === undefined ? {} : { onAnswer }),
    startReminderChecks(deps, account),
    startFileService(deps, account),
    startReadReceipts(deps, account),
    startChatImport(deps, account, recordChat),
    startContactChecks(deps, account),
    startPeerRecovery(deps, account),
  ];
  return {
    async stop() {
      await Promise.all(parts.map((part) => part.stop()));
    },
  };
}

/** Runs `plan` one at a time. A call during a run causes one more run afterwards. */
function alone(work: Work, plan: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  let isWantedAgain = false;
  const run = async (): Promise<void> => {
    do {
      isWantedAgain = false;
      await plan();
    } while (isWantedAgain);
  };
  return () => {
    isWantedAgain = true;
    running ??= work.track("plan", run()).finally(() => {
      running = null;
    });
    return running;
  };
}
