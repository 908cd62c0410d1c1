import { Fields, Tags, selectUnread } from "../../machines/catalog/index.ts";
import { NotRead } from "../../ui/NotRead.tsx";

/** Stands where tags would, as long as nobody knows whether there are any. */
export function TagsMark() {
  const unread = Tags.use(selectUnread);
  const { retry } = Tags.useVerbs();
  return unread === null ? null : <NotRead what="the tags" onRetry={retry} />;
}

/** The same of fields. */
export function FieldsMark() {
  const unread = Fields.use(selectUnread);
  const { retry } = Fields.useVerbs();
  return unread === null ? null : <NotRead what="the fields" onRetry={retry} />;
}
