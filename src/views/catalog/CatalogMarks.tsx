import { t } from "@lingui/core/macro";
import { Fields, Tags } from "../../machines/catalog/catalog.machine.ts";
import { LoadError } from "../../ui/LoadError.tsx";

/** Replaces the tags while it is unknown whether there are any. */
export function TagsMark() {
  const [chart, send] = Tags.use();
  return !chart.hasTag("loadFailed") ? null : (
    <LoadError what={t`the tags`} onRetry={() => send({ type: "reading.retry" })} />
  );
}

export function FieldsMark() {
  const [chart, send] = Fields.use();
  return !chart.hasTag("loadFailed") ? null : (
    <LoadError what={t`the fields`} onRetry={() => send({ type: "reading.retry" })} />
  );
}
