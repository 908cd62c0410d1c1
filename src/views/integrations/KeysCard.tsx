import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import type { ApiKey } from "../../../domain/api-key.ts";
import { ApiKeys, BLANK_KEY, selectIsEditing } from "../../machines/api-key/api-key.machine.ts";
import { selectProblemOf, selectProblemOver } from "../../machines/kit/writing.ts";
import { dateText, momentText } from "../../language/format.ts";
import { Badge } from "../../ui/Badge.tsx";
import { Button } from "../../ui/Button.tsx";
import { useFocusKeeper } from "../../ui/focus.ts";
import { FormProblem } from "../../ui/form.tsx";
import { IntegrationCard } from "./IntegrationCard.tsx";
import { Note, Row, Stack, Text, Code, Span } from "../../ui/layout.tsx";
import css from "./integrations.module.css";
import { KeyForm } from "./KeyForm.tsx";
import { mcpConfig } from "../../machines/api-key/api-key.texts.ts";
import { NewSecret } from "./NewSecret.tsx";
import { SecretText } from "./SecretText.tsx";

/** API keys, the form for a new one, and its secret while it is shown. */
export function KeysCard() {
  const [chart, send] = ApiKeys.use();
  const add = { type: "key.add", form: BLANK_KEY } as const;
  return (
    <IntegrationCard
      chart={chart}
      send={send}
      problem={selectProblemOver(chart)}
      form={selectIsEditing(chart) ? <KeyForm /> : null}
      isRevealed={chart.context.made !== null}
      adding={{ label: t`New key`, isAriaDisabled: !chart.can(add), onAdd: () => send(add) }}
    >
      <NewKey />
      <Keys />
    </IntegrationCard>
  );
}

function Keys() {
  const [chart] = ApiKeys.use();
  const { keys } = chart.context;
  const keepFocus = useFocusKeeper("li");
  if (!chart.matches({ list: "shown" })) return null;
  if (keys.length === 0)
    return <Text tone="muted">{t`No keys yet. A sheet, n8n or an assistant needs one each.`}</Text>;
  return (
    <Stack as="ul" isDivided ref={keepFocus} aria-label={t`Keys`}>
      {keys.map((key) => (
        <KeyRow key={key.id} apiKey={key} />
      ))}
    </Stack>
  );
}

function KeyRow({ apiKey }: { apiKey: ApiKey }) {
  const { id, name, scopes, hint, created_at: createdAt, last_used_at: usedAt } = apiKey;
  const [chart, send] = ApiKeys.use();
  const revoke = { type: "key.revoke", id } as const;
  const isRevoking = chart.matches({ work: "revoking" }) && chart.context.active?.id === id;
  const problem = selectProblemOf(id)(chart);
  return (
    <Row as="li" pad={[3, 0]} wraps gap={[2, 3]}>
      <Row wraps gap={[1, 2]} share="less" className={css["words"]}>
        <Span weight="medium" dir="auto">
          {name}
        </Span>
        <Row as="span" wraps gap={1}>
          {scopes.map((scope) => (
            <Badge key={scope} tone={scope === "send" ? "warn" : "neutral"}>
              {scope}
            </Badge>
          ))}
        </Row>
        <Note as="span" share="line">
          <Code>{t`llk_…${hint}`}</Code> · {t`created ${{ date: dateText(createdAt) ?? createdAt }}`} ·{" "}
          {usedAt === null ? t`never used` : t`last used ${{ usedAt: momentText(usedAt) ?? usedAt }}`}
        </Note>
      </Row>
      <Button
        size="small"
        aria-label={t`Revoke ${name}`}
        isPending={isRevoking}
        isAriaDisabled={!chart.can(revoke)}
        onClick={() => send(revoke)}
      >
        {t`Revoke`}
      </Button>
      <FormProblem share="line">{problem}</FormProblem>
    </Row>
  );
}

/** The new key's secret, alone and as an assistant's configuration. */
function NewKey() {
  const [chart, send] = ApiKeys.use();
  const { made, copied, origin } = chart.context;
  const copySecret = { type: "secret.copy", what: "secret" } as const;
  const copyConfig = { type: "secret.copy", what: "config" } as const;
  const dismiss = { type: "secret.dismiss" } as const;
  if (made === null) return null;
  return (
    <NewSecret
      title={
        <Trans>
          Your new key ‘<bdi>{made.name}</bdi>’
        </Trans>
      }
      isAriaDisabled={!chart.can(dismiss)}
      onDone={() => send(dismiss)}
    >
      <p>{t`Copy it now. It is shown only this once: we keep no more of it than is needed to recognise it.`}</p>
      <SecretText
        label={t`Key`}
        text={made.secret}
        outcome={copied["secret"]}
        isAriaDisabled={!chart.can(copySecret)}
        copyLabel={t`Copy key`}
        onCopy={() => send(copySecret)}
      />
      <SecretText
        label={t`Configuration for an assistant (MCP)`}
        description={t`Paste it into the assistant’s file of MCP servers. It includes the key.`}
        text={mcpConfig(origin, made.secret)}
        outcome={copied["config"]}
        isAriaDisabled={!chart.can(copyConfig)}
        copyLabel={t`Copy configuration`}
        onCopy={() => send(copyConfig)}
      />
    </NewSecret>
  );
}
