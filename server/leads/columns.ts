import { sql, type RawBuilder } from "kysely";
import { stepsPassed } from "../lead-rows/step-places.ts";

const own = sql`id, telegram_user_id, name, username, stage_id, notes, created_at, ${stepsPassed("leads")} as followup_order_sent,
  last_followup_sent_at, last_user_message_at, last_message_at, opted_out_at, waiting_since, stage_entered_at`;

const EXCERPT_CHARS = 120;

/** The newest message of each lead, one index lookup per lead. */
export const lastMessage = (ownerId: string): RawBuilder<unknown> => sql`(
    select json_build_object('id', m.id::text, 'text', left(m.text, ${sql.lit(EXCERPT_CHARS)}),
      'direction', case when m.is_outgoing then 'out' else 'in' end, 'kind', m.kind, 'at', m.sent_at) from messages m
    where m.owner_id = ${ownerId}::uuid and m.peer_user_id = leads.telegram_user_id and m.deleted_at is null
    order by m.sent_at desc, coalesce(m.message_id, 2147483647) desc, m.id desc limit 1
  ) as last_message`;

/**
 * Columns of `leads` as the API returns them, with tags and custom fields. Checks once per statement whether the owner has tags or fields,
 * so that other owners do not pay for them.
 */
export const leadColumns = (ownerId: string): RawBuilder<unknown> => sql`${own},
  case when exists (select from tags o where o.owner_id = ${ownerId}::uuid) then coalesce((
    select json_agg(json_build_object('id', t.id, 'name', t.name, 'color', t.color) order by lower(t.name), t.id)
    from lead_tags c join tags t on t.id = c.tag_id where c.lead_id = leads.id and t.deleted_at is null
  ), '[]'::json) else '[]'::json end as tags,
  case when exists (select from fields o where o.owner_id = ${ownerId}::uuid) then coalesce((
    select json_object_agg(f.id, coalesce(to_json(v.number_value), to_json(v.text_value)))
    from lead_fields v join fields f on f.id = v.field_id where v.lead_id = leads.id and f.deleted_at is null
  ), '{}'::json) else '{}'::json end as fields`;
