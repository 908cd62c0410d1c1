import * as v from "valibot";

export const AccountDelete = v.strictObject({
  password: v.pipe(v.string(), v.minLength(1, "Write your password."), v.maxLength(1024)),
});
