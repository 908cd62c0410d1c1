import { cutText } from "../../domain/cut-text.ts";
import type { InboxItem } from "../../domain/inbox.ts";
import type { Lead } from "../../domain/lead.ts";
import type { LedgerItem } from "../../domain/ledger.ts";
import type { ForecastItem } from "../../domain/forecast.ts";
import { isAwaitingReply } from "../../domain/lead.ts";
import type { Message } from "../../domain/message.ts";

const EXCERPT_CHARS = 300;
/** Maximum characters of messages per page; a single longer message is still returned. */
const PAGE_CHARS = 24_000;

const excerptOf = (text: string | null): string | null =>
  text !== null && text.length > EXCERPT_CHARS ? `${cutText(text, EXCERPT_CHARS)}…` : text;

export const leadLine = (lead: Lead) => ({
  lead_id: lead.id,
  stage_id: lead.stage_id,
  tag_ids: (lead.tags ?? []).map(({ id }) => id),
  /** the last message is from the lead */
  waits_for_answer: lead.last_user_message_at !== null && !isAwaitingReply(lead),
  created_at: lead.created_at,
  last_message_at: lead.last_message_at,
  untrusted: {
    name: lead.name,
    username: lead.username,
    notes: excerptOf(lead.notes),
    ...(lead.match == null ? {} : { found_in: lead.match.where, found: lead.match.text }),
  },
});

export const waitingLine = ({ lead, last, waiting_since: since }: InboxItem) => ({
  lead_id: lead.id,
  stage_id: lead.stage_id,
  waiting_since: since,
  untrusted: { name: lead.name, last_words: excerptOf(last?.text ?? null) },
});

const messageLine = ({
  id,
  at,
  direction,
  kind,
  source,
  state,
  reason,
  edited_at,
  deleted_at,
  text,
  media,
}: Message) => ({
  id,
  at,
  direction,
  kind,
  source,
  state,
  ...(reason === null ? {} : { reason }),
  ...(edited_at === null ? {} : { edited_at }),
  ...(deleted_at === null ? {} : { deleted_at }),
  untrusted: { text, ...(media?.name == null ? {} : { file_name: media.name }) },
});

/** Returns as many messages as fit a page, and the `before` cursor of the next page. */
export function messagePage(messages: readonly Message[], next: string | null) {
  let room = PAGE_CHARS;
  const fitting = messages.filter(({ text }, at) => {
    room -= text.length;
    return at === 0 || room >= 0;
  });
  return {
    messages: fitting.map(messageLine),
    next: fitting.length < messages.length ? (fitting.at(-1)?.id ?? null) : next,
  };
}

export const forecastLine = ({ at, kind, lead, step, preview }: ForecastItem) => ({
  at,
  kind,
  lead_id: lead?.id ?? null,
  ...(step === null ? {} : { step: step.order }),
  untrusted: { lead_name: lead?.name ?? null, preview },
});

export const ledgerLine = ({
  id,
  kind,
  lead,
  step,
  excerpt,
  state,
  reason,
  words,
  attempts,
  by,
  ...times
}: LedgerItem) => ({
  id,
  kind,
  state,
  reason,
  words,
  attempts,
  by,
  lead_id: lead?.id ?? null,
  ...(step === null ? {} : { step: step.order }),
  planned_at: times.planned_at,
  not_before: times.not_before,
  settled_at: times.settled_at,
  untrusted: { lead_name: lead?.name ?? null, excerpt },
});
