-- As before, but without conditions of its own: only then are both tables asked by their indexes for one lead, and not read whole.
create or replace view public.step_uses with (security_invoker = true) as
select lead_id, followup_id, epoch, kind, state, settled_at from public.outbox
union all
select lead_id, followup_id, epoch, kind, state, settled_at from public.ledger;
