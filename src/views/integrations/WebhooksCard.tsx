import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { selectProblemOver } from "../../machines/kit/writing.ts";
import { BLANK_WEBHOOK, Webhooks, selectIsEditing } from "../../machines/webhooks/webhooks.machine.ts";
import { useFocusKeeper } from "../../ui/focus.ts";
import { IntegrationCard } from "./IntegrationCard.tsx";
import { Stack, Text } from "../../ui/layout.tsx";
import { NewSecret } from "./NewSecret.tsx";
import { SecretText } from "./SecretText.tsx";
import { WebhookForm } from "./WebhookForm.tsx";
import { WebhookRow } from "./WebhookRow.tsx";

/** Webhooks, the form for one, and the secret of a new one while it is shown. */
export function WebhooksCard() {
  const [chart, send] = Webhooks.use();
  const add = { type: "webhook.add", form: BLANK_WEBHOOK } as const;
  return (
    <IntegrationCard
      chart={chart}
      send={send}
      problem={selectProblemOver(chart)}
      form={selectIsEditing(chart) ? <WebhookForm /> : null}
      isRevealed={chart.context.secret !== null}
      adding={{ label: t`New webhook`, isAriaDisabled: !chart.can(add), onAdd: () => send(add) }}
    >
      <SigningSecret />
      <WebhookList />
    </IntegrationCard>
  );
}

function SigningSecret() {
  const [chart, send] = Webhooks.use();
  const { secret, copied } = chart.context;
  const copy = { type: "secret.copy", what: "secret" } as const;
  const dismiss = { type: "secret.dismiss" } as const;
  if (secret === null) return null;
  return (
    <NewSecret
      title={t`The new webhook’s signing secret`}
      isAriaDisabled={!chart.can(dismiss)}
      onDone={() => send(dismiss)}
    >
      <p>{t`Copy it now: it is shown only this once. The receiver uses it to check that events come from here.`}</p>
      <SecretText
        label={t`Signing secret`}
        text={secret}
        outcome={copied["secret"]}
        isAriaDisabled={!chart.can(copy)}
        copyLabel={t`Copy secret`}
        onCopy={() => send(copy)}
      />
    </NewSecret>
  );
}

function WebhookList() {
  const [chart] = Webhooks.use();
  const { webhooks } = chart.context;
  const keepFocus = useFocusKeeper("li");
  if (!chart.matches({ list: "shown" })) return null;
  if (webhooks.length === 0)
    return (
      <Text tone="muted">
        <Trans>
          None yet. Give the address at which n8n, Make or your own program listens.{" "}
          <a href="/api/docs#/Webhooks" target="_blank" rel="noreferrer">
            What is sent, and how to check it
          </a>
        </Trans>
      </Text>
    );
  return (
    <Stack as="ul" isDivided ref={keepFocus} aria-label={t`Webhooks`}>
      {webhooks.map((webhook) => (
        <WebhookRow key={webhook.id} webhook={webhook} />
      ))}
    </Stack>
  );
}
