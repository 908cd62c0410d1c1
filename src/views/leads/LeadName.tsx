import type { Lead } from "../../../domain/lead.ts";
import css from "./LeadsTable.module.css";

/** A lead's name, which leads onward to the person in Telegram where there is a way. */
export function LeadName({ lead }: { lead: Lead }) {
  const name = lead.name || "-";
  const title = lead.name ?? undefined;
  const address = telegramAddress(lead);
  if (address === null)
    return (
      <span className={css["name"]} dir="auto" title={title}>
        {name}
      </span>
    );
  return (
    <a className={css["name"]} dir="auto" title={title} href={address} target="_blank" rel="noreferrer">
      {name}
    </a>
  );
}

function telegramAddress({ username, telegram_user_id }: Lead): string | null {
  if (username && /^\w{3,64}$/.test(username)) return `https://t.me/${username}`;
  return telegram_user_id === null ? null : `tg://user?id=${encodeURIComponent(telegram_user_id)}`;
}
