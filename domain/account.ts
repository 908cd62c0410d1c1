import * as v from "valibot";
import { NAME_MAX_CHARS } from "./limits.ts";

/** The users row the browser inserts after sign-up. */
export const Profile = v.strictObject({
  id: v.pipe(v.string(), v.uuid()),
  email: v.pipe(v.string(), v.maxLength(320)),
  name: v.pipe(v.string(), v.maxLength(NAME_MAX_CHARS)),
});
export type Profile = v.InferOutput<typeof Profile>;

export const BillingUrl = v.object({ url: v.string() });
export const BillingStatus = v.object({ status: v.optional(v.nullable(v.string()), null) });
export const BillingConfirm = v.strictObject({
  session_id: v.pipe(v.string(), v.minLength(1, "session_id is missing."), v.maxLength(255)),
});
export const AccountDelete = v.strictObject({
  password: v.pipe(v.string(), v.minLength(1, "Write your password."), v.maxLength(1024)),
});

export * from "./events.ts";
