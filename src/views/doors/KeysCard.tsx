import { t } from "@lingui/core/macro";
import { useLingui } from "@lingui/react/macro";
import type { ApiKey } from "../../../domain/api-key.ts";
import { ApiKeys, BLANK_KEY, selectIsEditing } from "../../machines/api-key/api-key.machine.ts";
import { selectOutdated, selectUnread } from "../../machines/kit/loading.ts";
import { selectProblemOf, selectProblemOver } from "../../machines/kit/writing.ts";
import { dateText, momentText } from "../../language/format.ts";
import { Badge } from "../../ui/Badge.tsx";
import { Button } from "../../ui/Button.tsx";
import { useFocusKeeper } from "../../ui/focus.ts";
import { FormProblem } from "../../ui/form.tsx";
import { DoorCard } from "./DoorCard.tsx";
import { Box, Note, Row, Stack, Text } from "../../ui/layout.tsx";
import css from "./doors.module.css";
import { KeyForm } from "./KeyForm.tsx";
import { NewKey } from "./NewKey.tsx";

/** The keys by which programs call, one of them being made, and the new one's secret while it is shown. */
export function KeysCard() {
  const [chart, send] = ApiKeys.use();
  const add = { type: "key.add", form: BLANK_KEY } as const;
  return (
    <DoorCard
      isLoading={chart.matches({ list: "loading" })}
      unread={selectUnread(chart)}
      outdated={selectOutdated(chart)}
      onRetry={() => send({ type: "reading.retry" })}
      problem={selectProblemOver(chart)}
      form={selectIsEditing(chart) ? <KeyForm /> : null}
      isRevealed={chart.context.made !== null}
      adding={{ label: t`New key`, isResting: !chart.can(add), onAdd: () => send(add) }}
    >
      <NewKey />
      <Keys />
    </DoorCard>
  );
}

function Keys() {
  const { t } = useLingui();
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

function KeyRow({
  apiKey: { id, name, scopes, hint, created_at: createdAt, last_used_at: usedAt },
}: {
  apiKey: ApiKey;
}) {
  const { t } = useLingui();
  const [chart, send] = ApiKeys.use();
  const revoke = { type: "key.revoke", id } as const;
  const isRevoking = chart.matches({ work: "revoking" }) && chart.context.active?.id === id;
  const problem = selectProblemOf(id)(chart);
  return (
    <Row as="li" pad={[3, 0]} wraps gap={[2, 3]}>
      <Row wraps gap={[1, 2]} share="less" className={css["words"]}>
        <Text as="span" weight="medium" dir="auto">
          {name}
        </Text>
        <Row as="span" wraps gap={1}>
          {scopes.map((scope) => (
            <Badge key={scope} tone={scope === "send" ? "warn" : "neutral"}>
              {scope}
            </Badge>
          ))}
        </Row>
        <Note as="span" share="line">
          <Text as="code" size="sm">
            {t`llk_…${hint}`}
          </Text>{" "}
          · {t`created ${{ date: dateText(createdAt) }}`} ·{" "}
          {usedAt === null ? t`never used` : t`last used ${{ usedAt: momentText(usedAt) }}`}
        </Note>
      </Row>
      <Button
        size="small"
        aria-label={t`Revoke ${name}`}
        isPending={isRevoking}
        isResting={!chart.can(revoke) && !isRevoking}
        onClick={() => send(revoke)}
      >
        {t`Revoke`}
      </Button>
      {problem !== null && (
        <Box share="line">
          <FormProblem>{problem}</FormProblem>
        </Box>
      )}
    </Row>
  );
}
