import type { Deps, Running } from "../core/deps.ts";
import { findWronglyUnreachable, clearWronglyUnreachable } from "../outbox/reach.ts";
import { restartAutomation } from "../settings/index.ts";
import type { ChatPlace, HeldAccount } from "../telegram/index.ts";

/** At most this many pages of chats are searched for lost people. */
const PAGES_MOST = 10;
const BETWEEN_PAGES_MS = 200;

/**
 * Runs once for each held account. Makes leads reachable again that were wrongly marked as unknown to it, if their address is stored or
 * found in its chats. Their long overdue steps wait for the user's confirmation, as after any break.
 */
export function startPeerRecovery(
  deps: Pick<Deps, "db" | "bus" | "clock" | "logger" | "work">,
  account: HeldAccount,
): Running {
  const logger = deps.logger.child({ account: account.accountId });
  let isStopping = false;
  const isOver = () => isStopping || account.signal.aborted;
  const over = Promise.withResolvers<null>();
  account.signal.addEventListener("abort", () => over.resolve(null), { once: true });

  const look = async (lost: Set<string>): Promise<void> => {
    let after: ChatPlace | null = null;
    for (let pages = 0; lost.size > 0 && pages < PAGES_MOST && !isOver(); pages += 1) {
      // A stop does not wait for a call that never returns.
      const page: Awaited<ReturnType<HeldAccount["chats"]["listChats"]>> | null = await Promise.race([
        account.chats.listChats(after),
        over.promise,
      ]);
      if (page === null) return;
      for (const chat of page.chats) if (lost.delete(chat.peer.id)) await account.chats.keep(chat);
      if (page.next === null) return;
      after = page.next;
      await deps.work.pauseFor(Promise.race([deps.clock.sleep(BETWEEN_PAGES_MS), over.promise]));
    }
  };
  const run = async (): Promise<void> => {
    const misjudged = await findWronglyUnreachable(deps.db, account);
    if (misjudged.length === 0) return;
    const lost = new Set(misjudged.flatMap(({ id, isKnown }) => (isKnown ? [] : [id])));
    await look(lost).catch((error: unknown) => logger.warn({ err: error }, "searching chats failed"));
    if (isOver()) return;
    await deps.db.transaction().execute(async (tx) => {
      const found = (await findWronglyUnreachable(tx, account)).filter(({ isKnown }) => isKnown).map(({ id }) => id);
      if (found.length === 0) return;
      await clearWronglyUnreachable(tx, deps, account, found);
      await restartAutomation(tx, account.userId, deps.clock.iso());
      logger.info({ people: found.length }, "recovered the addresses of people");
    });
  };
  const running = deps.work
    .track("peer recovery", run())
    .catch((error: unknown) => logger.warn({ err: error }, "recovering lost people failed"));
  return {
    async stop() {
      isStopping = true;
      over.resolve(null);
      await running;
    },
  };
}
