-- The list of leads by any filter and in any order.

-- What the filters and orders read of a lead stands in the index of the newest: counting 100,000 leads and skipping to a late page then
-- take no look at the leads themselves.
create index leads_list_idx on public.leads (owner_id, created_at desc, id desc)
  include (stage_id, followup_order_sent, last_message_at, last_user_message_at, stage_entered_at, opted_out_at, unreachable_reason);
drop index public.leads_newest_idx;
alter index public.leads_list_idx rename to leads_newest_idx;

drop index public.leads_recent_idx;
create index leads_recent_idx on public.leads (owner_id, last_message_at desc, id desc) include (created_at) where last_message_at is not null;
create index leads_stage_entry_idx on public.leads (owner_id, stage_entered_at desc, created_at desc, id desc);
create index leads_name_order_idx on public.leads (owner_id, (lower(name) collate "C"), created_at desc, id desc) include (name);

-- Own fields, by what they hold; texts as far as a list sorts them.
create index lead_fields_number_idx on public.lead_fields (field_id, number_value, lead_id) where number_value is not null;
create index lead_fields_text_idx on public.lead_fields (field_id, (lower(left(text_value, 100)) collate "C"), lead_id) where text_value is not null;
create index lead_fields_part_idx on public.lead_fields using gin (field_id, lower(text_value) gin_trgm_ops) where text_value is not null;
