import { sql } from "kysely";
import { CLAIM_LEAD_MS } from "../../domain/send-pace.ts";
import { classifySendError, UPLOAD_FAILED } from "../../domain/send-outcome.ts";
import { withTimeout } from "../core/clock.ts";
import type { Deps, Running } from "../core/deps.ts";
import { loadMedia } from "../media/store.ts";
import { claimNext, type Claim } from "./claim.ts";
import type { SenderAccount, SentMessage } from "./port.ts";
import { raisePace } from "./pace.ts";
import { settleRefused, settleSent } from "./settle.ts";
import { type Round, runWorker } from "../core/worker.ts";
import type { Wakes } from "./wakes.ts";

type SenderDeps = Pick<Deps, "db" | "bus" | "clock" | "logger" | "work">;

/** Polling interval in case a notification is lost, with jitter so that accounts do not poll at once. */
const LONGEST_SLEEP_MS = 600_000;
const RETRY_MS = 500;
/** The next holder of the account continues with a row left open. */
const STOPPING_TRIES = 5;
/** A call without a response for this long is abandoned; its row is retried with the same id. */
const ANSWER_MS = 60_000;
const UPLOAD_ANSWER_MS = 240_000;

/**
 * Sends an account's messages one after another while this process holds the account. First retries the rows that the previous holder left
 * open, under the same ids.
 * @param wakes signals when there may be something to send
 * @returns `stop`, which resolves once the current message is settled
 */
export async function startSender(
  deps: SenderDeps,
  account: SenderAccount,
  wakes: Wakes,
  options: { random?: () => number; onAnswer?: (kind: string, outcome: string) => void } = {},
): Promise<Running> {
  const logger = deps.logger.child({ account: account.accountId });
  const context = { deps, account, random: options.random ?? Math.random };
  let isStopping = false;
  let isRecovered = false;

  const attempt = async <T>(work: () => Promise<T>, what: string): Promise<T | null> => {
    for (let triesWhileStopping = 0; ; triesWhileStopping += isStopping ? 1 : 0) {
      try {
        return await work();
      } catch (error) {
        logger.warn({ err: error }, `${what} failed, trying again`);
        if (account.signal.aborted || triesWhileStopping >= STOPPING_TRIES) return null;
        await deps.work.pauseFor(deps.clock.sleep(RETRY_MS));
      }
    }
  };

  const deliver = async (claim: Claim, rest: Round["rest"]): Promise<void> => {
    await rest(Math.min(claim.startAt - deps.clock.now(), CLAIM_LEAD_MS));
    const startedAt = deps.clock.now();
    const isLate = startedAt - claim.startAt > CLAIM_LEAD_MS;
    const noted = isLate && attempt(() => raisePace(deps.db, claim.ownerId, startedAt), "recording when a call began");
    let sent: SentMessage | null = null;
    let failure: unknown = null;
    try {
      sent = await withTimeout(
        deps.clock,
        claim.mediaId === null ? ANSWER_MS : UPLOAD_ANSWER_MS,
        call(deps, account, claim),
        () => {
          throw new Error("No response in time.");
        },
      );
    } catch (error) {
      failure = error;
    }
    await noted;
    if (sent !== null) {
      const delivered = sent;
      options.onAnswer?.(claim.kind, "sent");
      await attempt(() => settleSent(deps, account, claim, delivered), "recording a sent message");
      // A reply implies that the chat was read. A failed mark does not delay the next message.
      if (claim.kind === "reply") {
        deps.work
          .track("mark as read", account.port.markRead(claim.to, delivered.messageId))
          .catch((error: unknown) => logger.info({ err: error }, "could not mark a chat as read"));
      }
    } else {
      const outcome = classifySendError(failure);
      options.onAnswer?.(claim.kind, outcome.kind);
      logger.info(
        { outbox: claim.id, outcome: outcome.kind, reason: outcome.reason, attempt: claim.attempt },
        "not sent",
      );
      await attempt(() => settleRefused(deps, account, claim, outcome), "recording a refused message");
    }
  };

  const worker = runWorker(deps, {
    name: "sender",
    wakeOn: (wake) => [wakes.watch(account, wake)],
    idleMs: LONGEST_SLEEP_MS * (1 + Math.random()),
    retryMs: RETRY_MS,
    signal: account.signal,
    onFailure: (error) => logger.warn({ err: error }, "taking the next message failed, trying again"),
    async work({ isOver, rest }) {
      if (!isRecovered) await attempt(() => recoverOpenRows(deps, account), "recovering open messages");
      isRecovered = true;
      if (isOver()) return null;
      const next = await claimNext(context);
      if (next.claim === null) return next.until;
      await deliver(next.claim, rest);
      return "now";
    },
  });
  return {
    stop() {
      isStopping = true;
      return worker.stop();
    },
  };
}

/** Rows that the previous holder was sending may have been delivered, so they are retried first. */
async function recoverOpenRows(deps: SenderDeps, account: SenderAccount): Promise<void> {
  await sql`
    update outbox set state = 'pending', is_uncertain = true, priority = 0, not_before = ${deps.clock.iso()}::timestamptz
    where owner_id = ${account.userId}::uuid and state = 'sending' and exists (
      select from telegram_sessions where id = ${account.accountId}::uuid and fence = ${String(account.fence)}::bigint)`.execute(
    deps.db,
  );
}

async function call(deps: SenderDeps, account: SenderAccount, claim: Claim): Promise<SentMessage> {
  const { to, text, randomId } = claim;
  if (claim.mediaId === null) return account.port.sendText({ to, text, randomId });
  const media = await loadMedia(deps.db, claim.ownerId, claim.mediaId).catch(notHandedOver);
  return account.port.sendMedia({ to, caption: text, media, randomId });
}

/** A file that could not be read was not sent, nor was its message. */
function notHandedOver(cause: unknown): never {
  throw Object.assign(new Error(UPLOAD_FAILED, { cause }), { code: 503, text: UPLOAD_FAILED });
}
