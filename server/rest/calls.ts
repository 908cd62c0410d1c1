import * as v from "valibot";

const after = (prefix: string) =>
  v.pipe(
    v.string(),
    v.startsWith(prefix),
    v.transform((text) => text.slice(prefix.length)),
  );
const equal = v.optional(after("eq."));
const newestFirst = v.literal("created_at.desc");
const one = v.literal("1");
const anyColumns = v.optional(v.string());
const columnsOf = <const Name extends string>(names: readonly Name[]) =>
  v.pipe(
    v.string(),
    v.transform((text) => (text === "*" ? [...names] : text.split(","))),
    v.array(v.picklist(names)),
  );

/** The parameters of each call that the browser makes. `eq` on the owner is optional: rows are always the caller's own. */
export const SubscriptionRow = v.strictObject({
  select: columnsOf([
    "user_id",
    "status",
    "provider_status",
    "plan",
    "current_period_end",
    "trial_ends_at",
    "cancel_at_period_end",
    "cancel_at",
    "canceled_at",
    "next_billing_at",
    "expires_at",
    "past_due_since",
    "provider_customer_id",
    "provider_subscription_id",
    "stripe_subscription_id",
    "price_id",
    "created_at",
    "updated_at",
  ]),
  user_id: equal,
  order: v.optional(newestFirst),
  limit: v.optional(one),
});
export const UsersRow = v.strictObject({
  select: v.optional(columnsOf(["id", "email", "name", "created_at"]), "*"),
  /** the keys of a list of rows; the rows themselves are validated */
  columns: v.optional(v.string()),
  id: equal,
});
export const NewestLead = v.strictObject({
  select: columnsOf(["id", "created_at"]),
  owner_id: equal,
  order: newestFirst,
  limit: one,
});
export const LeadCount = v.strictObject({
  select: anyColumns,
  owner_id: equal,
  created_at: v.optional(after("gte.")),
});
export const StageCount = v.strictObject({ select: anyColumns, owner_id: equal });
export const SessionCount = v.strictObject({ select: anyColumns, user_id: equal });

/** The users row as the browser writes it. */
const profile = { id: v.string(), email: v.string(), name: v.string() };
export const Profile = v.strictObject({ ...profile, name: v.optional(v.string(), "") });
export const ProfileChange = v.partial(v.strictObject(profile));
