import * as v from "valibot";
import { NAME_MAX_CHARS } from "./limits.ts";

/** The users row the browser inserts after sign-up. */
export const Profile = v.strictObject({
  id: v.pipe(v.string(), v.uuid()),
  email: v.pipe(v.string(), v.maxLength(320)),
  name: v.pipe(v.string(), v.maxLength(NAME_MAX_CHARS)),
});
export type Profile = v.InferOutput<typeof Profile>;

export const AccountDelete = v.strictObject({
  password: v.pipe(v.string(), v.minLength(1, "Write your password."), v.maxLength(1024)),
});
