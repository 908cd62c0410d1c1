/** Which of two versions the user keeps of something that was changed here and elsewhere. */
export type Version = "mine" | "saved";

/** Whether a field was changed both in `typed` and in `now`, to different values, since both were as `was`. */
export const isContested = <Form extends object>({ typed, was, now }: Record<"typed" | "was" | "now", Form>): boolean =>
  (Object.keys(now) as (keyof Form)[]).some(
    (field) => typed[field] !== was[field] && now[field] !== was[field] && typed[field] !== now[field],
  );
