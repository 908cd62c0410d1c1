import * as v from "valibot";

const code = v.optional(v.nullable(v.string()));
const params = v.optional(v.record(v.string(), v.unknown()));

/** The fields of an answer beside a reason in English: its code, null for one that an earlier version stored, and its parameters. */
export const reasonEntries = <const Name extends string>(name: Name) =>
  ({ [`${name}_code`]: code, [`${name}_params`]: params }) as { [Key in `${Name}_code`]: typeof code } & {
    [Key in `${Name}_params`]: typeof params;
  };
