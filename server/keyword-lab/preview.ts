import type { KeywordPreview, KeywordPreviewRequest } from "../../domain/keyword-lab.ts";
import type { StageKeywords } from "../../domain/keywords.ts";
import type { Deps } from "../core/deps.ts";
import { refuseInput } from "../core/problem.ts";
import { enforceKeywordQuota } from "../stages/repository.ts";
import { MESSAGES_MOST, messagesIn, movesIn, spanOf } from "./pages.ts";
import { startLabThread, type LabThread } from "./thread.ts";

const DAY_MS = 86_400_000;

/**
 * Computes what edited keywords would have done to an owner's stored messages. Changes nothing, and logs no message.
 * @param signal aborts at any point
 * @param most how many of the newest messages are read
 * @throws ProblemError 422 for stages that could not be saved; the signal's reason
 */
export async function previewKeywords(
  { db, clock }: Pick<Deps, "db" | "clock">,
  ownerId: string,
  { stages, days }: KeywordPreviewRequest,
  signal: AbortSignal,
  most: number = MESSAGES_MOST,
): Promise<KeywordPreview> {
  enforceKeywordQuota(stages);
  const edited: StageKeywords[] = stages.map(({ id, keywords, order }, index) => ({
    id: id ?? `new-${index + 1}`,
    keywords,
    order,
  }));
  if (new Set(edited.map(({ id }) => id)).size < edited.length)
    throw refuseInput("stages", "stage_twice", null, "Each stage may stand here once.");
  signal.throwIfAborted();
  const saved = await db
    .selectFrom("stages")
    .select(["id", "keywords", "order"])
    .where("owner_id", "=", ownerId)
    .execute();
  const now = clock.now();
  const period = { since: new Date(now - days * DAY_MS).toISOString(), until: new Date(now).toISOString() };
  const span = await spanOf(db, ownerId, period, most);
  signal.throwIfAborted();
  const thread = startLabThread({ saved, edited });
  const stop = () => void thread.stop();
  signal.addEventListener("abort", stop);
  try {
    await feed(thread, "history", movesIn(db, ownerId, span), signal);
    await feed(thread, "messages", messagesIn(db, ownerId, span), signal);
    const { changes, ...report } = await thread.finish();
    const names = await namesOf(db, ownerId, changes);
    return {
      ...report,
      since: span.since,
      changes: changes.map((change) => ({ ...change, name: names.get(change.lead_id) ?? null })),
    };
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener("abort", stop);
    await thread.stop();
  }
}

/** Reads the next page while the thread processes the previous one. */
async function feed(
  thread: LabThread,
  kind: "history" | "messages",
  pages: AsyncGenerator<string>,
  signal: AbortSignal,
): Promise<void> {
  let reading: Promise<void> = Promise.resolve();
  for await (const json of pages) {
    await reading;
    signal.throwIfAborted();
    reading = thread.read({ kind, json });
    reading.catch(() => {});
  }
  await reading;
}

async function namesOf(
  db: Deps["db"],
  ownerId: string,
  changes: readonly { lead_id: string }[],
): Promise<Map<string, string | null>> {
  const ids = [...new Set(changes.map(({ lead_id: id }) => id))];
  if (ids.length === 0) return new Map();
  const leads = await db
    .selectFrom("leads")
    .select(["id", "name"])
    .where("owner_id", "=", ownerId)
    .where("id", "in", ids)
    .execute();
  return new Map(leads.map(({ id, name }) => [id, name]));
}
