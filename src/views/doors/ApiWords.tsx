import { Trans, useLingui } from "@lingui/react/macro";
import { ApiKeys } from "../../machines/api-key/api-key.machine.ts";
import { mcpAddress } from "../../machines/api-key/api-key.texts.ts";
import { Card } from "../../ui/Card.tsx";
import { Note, Stack, Text } from "../../ui/layout.tsx";
import css from "./doors.module.css";

/** Where a program goes with its key. */
export function ApiWords() {
  const { t } = useLingui();
  const origin = ApiKeys.useSelector(({ context }) => context.origin);
  return (
    <Stack as={Card} gap={3} share="less">
      <h3>{t`Where a key goes`}</h3>
      <Stack as="dl" gap={1} className={css["facts"]}>
        <dt>{t`API`}</dt>
        <dd>
          <Trans>
            <Text as="code" size="sm">
              {origin}/api
            </Text>
            , with the header{" "}
            <Text as="code" size="sm">
              Authorization: Bearer llk_…
            </Text>
            .{" "}
            <a href="/api/docs" target="_blank" rel="noreferrer">
              Every call, with examples
            </a>
          </Trans>
        </dd>
        <dt>{t`Assistants (MCP)`}</dt>
        <dd>
          <Trans>
            <Text as="code" size="sm">
              {mcpAddress(origin)}
            </Text>
            , with the same header. The whole configuration is shown beside a new key, ready to copy.
          </Trans>
        </dd>
      </Stack>
      <Note>
        {t`No key reaches billing, keys, your account or Telegram logins. What a program did stands in a lead’s story under its key’s name.`}
      </Note>
    </Stack>
  );
}
