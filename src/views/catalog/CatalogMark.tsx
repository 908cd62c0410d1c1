import { type Tags, selectUnread } from "../../machines/catalog/index.ts";
import { NotRead } from "../../ui/NotRead.tsx";

/** Stands where a catalog's things would, as long as nobody knows whether there are any. */
export function CatalogMark({ catalog, what }: { catalog: typeof Tags; what: string }) {
  const unread = catalog.use(selectUnread);
  const { retry } = catalog.useVerbs();
  return unread === null ? null : <NotRead what={what} onRetry={retry} />;
}
