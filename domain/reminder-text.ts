import { MESSAGE_MAX_CHARS } from "./limits.ts";
import { fillTemplate } from "./reminder.ts";

/** More stuck leads than this in one run of a rule are told of in one message. */
export const DIGEST_OVER = 5;
const NAMED_IN_DIGEST = 20;

export type StuckLead = { name: string | null; username: string | null; telegram_user_id: string; days: number };

/** Opens the chat with the person, by public name where there is one. */
const linkTo = (lead: StuckLead): string =>
  lead.username === null || lead.username === ""
    ? `tg://user?id=${lead.telegram_user_id}`
    : `https://t.me/${lead.username}`;

const nameOf = (lead: StuckLead): string => lead.name?.trim() || (lead.username ? `@${lead.username}` : "Unnamed");

/** A rule's template filled in for one lead, cut to what Telegram takes. */
export const fillReminder = (template: string, stage: string, lead: StuckLead): string =>
  cut(
    fillTemplate(template, {
      name: nameOf(lead),
      username: lead.username ? `@${lead.username}` : "",
      stage,
      days: String(lead.days),
      link: linkTo(lead),
    }),
  );

/** How a message about many stuck leads begins. */
export const digestTitle = (stage: string, count: number): string => `⏰ ${count} leads are stuck in stage ${stage}:`;

/** One message about many stuck leads, those waiting longest first. */
export function writeDigest(stage: string, leads: readonly StuckLead[]): string {
  const lines = leads
    .slice(0, NAMED_IN_DIGEST)
    .map((lead) => `• ${nameOf(lead)} (${daysOf(lead.days)}) ${linkTo(lead)}`);
  const more = leads.length - lines.length;
  return cut([digestTitle(stage, leads.length), ...lines, ...(more > 0 ? [`… and ${more} more`] : [])].join("\n"));
}

const daysOf = (days: number): string => (days === 1 ? "1 day" : `${days} days`);

/** Cuts between characters, never inside one. */
function cut(text: string): string {
  if (text.length <= MESSAGE_MAX_CHARS) return text;
  const kept = text.slice(0, MESSAGE_MAX_CHARS - 1);
  return `${/[\uD800-\uDBFF]$/.test(kept) ? kept.slice(0, -1) : kept}…`;
}
