import { ApiKeys } from "../../machines/api-key/api-key.machine.ts";
import { mcpAddress } from "../../machines/api-key/api-key.texts.ts";
import { Card } from "../../ui/Card.tsx";
import css from "./doors.module.css";

/** Where a program goes with its key. */
export function ApiWords() {
  const origin = ApiKeys.useSelector(({ context }) => context.origin);
  return (
    <Card className={css["card"]}>
      <h3 className={css["title"]}>Where a key goes</h3>
      <dl className={css["facts"]}>
        <dt>API</dt>
        <dd>
          <code className={css["code"]}>{origin}/api</code>, with the header{" "}
          <code className={css["code"]}>Authorization: Bearer llk_…</code>.{" "}
          <a href="/api/docs" target="_blank" rel="noreferrer">
            Every call, with examples
          </a>
        </dd>
        <dt>Assistants (MCP)</dt>
        <dd>
          <code className={css["code"]}>{mcpAddress(origin)}</code>, with the same header. The whole configuration is
          shown beside a new key, ready to copy.
        </dd>
      </dl>
      <p className={css["note"]}>
        No key reaches billing, keys, your account or Telegram logins. What a program did stands in a lead’s story under
        its key’s name.
      </p>
    </Card>
  );
}
