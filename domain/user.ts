import * as v from "valibot";
import { fieldProblem } from "./schema-message.ts";

export const AccountDelete = v.strictObject({
  password: v.pipe(v.string(), v.minLength(1, fieldProblem("own_password_missing")), v.maxLength(1024)),
});
