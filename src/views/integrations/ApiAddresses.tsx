import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { ApiKeys } from "../../machines/api-key/api-key.machine.ts";
import { mcpAddress } from "../../machines/api-key/api-key.texts.ts";
import { Card, Box, Note, Stack, Text, Code } from "../../ui/layout.tsx";

export function ApiAddresses() {
  const origin = ApiKeys.useSelector(({ context }) => context.origin);
  return (
    <Stack as={Card} gap={3}>
      <h3>{t`Where a key goes`}</h3>
      <Stack as="dl" gap={1}>
        <Text as="dt" size="sm" weight="medium">{t`API`}</Text>
        <Box as="dd" after={2}>
          <Trans>
            <Code>{origin}/api</Code>, with the header <Code>Authorization: Bearer llk_…</Code>.{" "}
            <a href="/api/docs" target="_blank" rel="noreferrer">
              Every call, with examples
            </a>
          </Trans>
        </Box>
        <Text as="dt" size="sm" weight="medium">{t`Assistants (MCP)`}</Text>
        <Box as="dd" after={2}>
          <Trans>
            <Code>{mcpAddress(origin)}</Code>, with the same header. The whole configuration is shown beside a new key,
            ready to copy.
          </Trans>
        </Box>
      </Stack>
      <Note>
        {t`Keys cannot access billing, keys, your account or Telegram logins. A lead’s story shows a program’s actions under its key’s name.`}
      </Note>
    </Stack>
  );
}
