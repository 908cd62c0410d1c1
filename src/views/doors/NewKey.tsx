import { Trans, useLingui } from "@lingui/react/macro";
import { ApiKeys } from "../../machines/api-key/api-key.machine.ts";
import { mcpConfig } from "../../machines/api-key/api-key.texts.ts";
import { Button } from "../../ui/Button.tsx";
import { focusIfLost } from "../../ui/focus.ts";
import { Stack } from "../../ui/layout.tsx";
import css from "./doors.module.css";
import { SecretText } from "./SecretText.tsx";

/** The secret of the key that was created a moment ago, alone and as an assistant's configuration. */
export function NewKey() {
  const { t } = useLingui();
  const [chart, send] = ApiKeys.use();
  const { made, copied, origin } = chart.context;
  const copySecret = { type: "secret.copy", what: "secret" } as const;
  const copyConfig = { type: "secret.copy", what: "config" } as const;
  const dismiss = { type: "secret.dismiss" } as const;
  if (made === null) return null;
  return (
    <Stack
      as="section"
      surface="well"
      gap={4}
      pad={4}
      share="less"
      ref={focusIfLost}
      tabIndex={-1}
      className={css["revealed"]}
      aria-labelledby="new-key"
    >
      <h3 id="new-key">
        <Trans>
          Your new key ‘<bdi>{made.name}</bdi>’
        </Trans>
      </h3>
      <p>{t`Copy it now. It is shown only this once: we keep no more of it than is needed to recognise it.`}</p>
      <SecretText
        label={t`Key`}
        text={made.secret}
        outcome={copied["secret"]}
        isResting={!chart.can(copySecret)}
        copyLabel={t`Copy key`}
        onCopy={() => send(copySecret)}
      />
      <SecretText
        label={t`Configuration for an assistant (MCP)`}
        description={t`Goes into the file in which the assistant keeps its servers, the key included.`}
        text={mcpConfig(origin, made.secret)}
        outcome={copied["config"]}
        isResting={!chart.can(copyConfig)}
        copyLabel={t`Copy configuration`}
        onCopy={() => send(copyConfig)}
      />
      <Button variant="primary" isAtStart isResting={!chart.can(dismiss)} onClick={() => send(dismiss)}>
        {t`Done`}
      </Button>
    </Stack>
  );
}
