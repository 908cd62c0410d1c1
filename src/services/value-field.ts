import * as v from "valibot";
import { failureOf } from "../../domain/problem.ts";
import type { Http } from "./http.ts";

/** As much of the fields as tells which of them is the value. */
const FieldList = v.array(v.object({ id: v.string(), name: v.string(), is_value: v.optional(v.boolean(), false) }));

/** The field that sums are of. */
export const createValueFieldGateway = (http: Http) => ({
  /** Null where no field is the value, or the server has no fields. */
  async read(signal: AbortSignal): Promise<{ id: string; name: string } | null> {
    try {
      const field = v.parse(FieldList, await http("/fields", { signal })).find(({ is_value }) => is_value);
      return field ? { id: field.id, name: field.name } : null;
    } catch (error) {
      if (failureOf(error).status === 404) return null;
      throw error;
    }
  },
});
