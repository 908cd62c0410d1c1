import { msg, plural } from "@lingui/core/runtime-macro";
import { cutText } from "./cut-text.ts";
import { MESSAGE_MAX_CHARS } from "./limits.ts";
import { fillTemplate } from "./reminder.ts";
import type { UiText } from "./ui-text.ts";

/** More stuck leads than this in one run of a rule are listed in one message. */
export const DIGEST_OVER = 5;
const NAMED_IN_DIGEST = 20;

/** Translates a text into the language of the rule's owner. */
type Write = (text: UiText) => string;

export type StuckLead = { name: string | null; username: string | null; telegram_user_id: string; days: number };

/** Returns a link that opens the chat with the person, by public username if there is one. */
const linkTo = (lead: Pick<StuckLead, "username" | "telegram_user_id">): string =>
  lead.username === null || lead.username === ""
    ? `tg://user?id=${lead.telegram_user_id}`
    : `https://t.me/${lead.username}`;

const nameOf = (lead: StuckLead, write: Write): string =>
  lead.name?.trim() || (lead.username ? `@${lead.username}` : write(msg`Unnamed`));

/** Fills a rule's template for one lead, and cuts it to Telegram's limit. */
export const fillReminder = (template: string, stage: string, lead: StuckLead, write: Write): string =>
  cut(
    fillTemplate(template, {
      name: nameOf(lead, write),
      username: lead.username ? `@${lead.username}` : "",
      stage,
      days: String(lead.days),
      link: linkTo(lead),
    }),
  );

/** The title of a message about many stuck leads. In each language the count comes last, where `withoutLinks` corrects it. */
export const digestTitle = (stage: string, count: number): UiText =>
  msg`⏰ Leads stuck in stage ${{ stage }}: ${{ count: String(count) }}`;

/** Returns one message about many stuck leads, the longest waiting first. */
export function writeDigest(stage: string, leads: readonly StuckLead[], write: Write): string {
  const lines = leads
    .slice(0, NAMED_IN_DIGEST)
    .map((lead) => `• ${nameOf(lead, write)} (${write(daysText(lead.days))}) ${linkTo(lead)}`);
  const more = leads.length - lines.length;
  const end = more > 0 ? [write(msg`… and ${{ count: String(more) }} more`)] : [];
  return cut([write(digestTitle(stage, leads.length)), ...lines, ...end].join("\n"));
}

/** The title of digests that an earlier version left in the outbox. */
const OLD_TITLE = /^⏰ (\d+) leads are stuck in stage (.*):$/;
const NAMED = /^• .*? (tg:\/\/user\?id=\d+|https:\/\/t\.me\/\S+)$/;
const linkIn = (line: string): string | null => NAMED.exec(line)?.[1]?.toLowerCase() ?? null;

/** Returns the links by which a digest may name a person, in lower case. */
export const linksTo = (person: { telegram_user_id: string; username: string | null }): string[] => [
  linkTo({ ...person, username: null }),
  ...(person.username ? [linkTo(person).toLowerCase()] : []),
];

/** Returns the links of a digest, in lower case. */
export const linksIn = (digest: string): string[] => digest.split("\n").flatMap((line) => linkIn(line) ?? []);

/** Removes the people with these links from a digest and its count. Returns an empty text if they were the only ones. */
export function withoutLinks(digest: string, links: ReadonlySet<string>): string {
  const lines = digest.split("\n");
  const rest = lines.filter((line) => !links.has(linkIn(line) ?? ""));
  if (rest.length === lines.length) return digest;
  if (rest.length === 1) return "";
  const gone = lines.length - rest.length;
  const title = (rest[0] ?? "")
    .replace(OLD_TITLE, "⏰ Leads stuck in stage $2: $1")
    .replace(/\d+$/, (count) => String(Number(count) - gone));
  return [title, ...rest.slice(1)].join("\n");
}

const daysText = (days: number): UiText => msg`${plural({ days }, { one: "# day", other: "# days" })}`;

const cut = (text: string): string =>
  text.length <= MESSAGE_MAX_CHARS ? text : `${cutText(text, MESSAGE_MAX_CHARS - 1)}…`;
