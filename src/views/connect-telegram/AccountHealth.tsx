import { t } from "@lingui/core/macro";
import { useMemo } from "react";
import { DAILY_CAP_MAX } from "../../../domain/limits.ts";
import type { TelegramAccount } from "../../../domain/telegram.ts";
import { isWholeNumber, numberText, plainNumber } from "../../language/format.ts";
import { selectOutdated, selectLoadFailed } from "../../machines/kit/loading.ts";
import { ConnectedAccount } from "../../machines/telegram-account/telegram-account.machine.ts";
import { Banner } from "../../ui/Banner.tsx";
import { Button } from "../../ui/Button.tsx";
import { Card, Grid, Note, Row, Stack, Text } from "../../ui/layout.tsx";
import { submitting } from "../../ui/form.tsx";
import type { TextDraft } from "../../machines/kit/page.ts";
import { useDraftOver } from "../../ui/hooks.ts";
import { LoadError } from "../../ui/LoadError.tsx";
import { TextField } from "../../ui/Field.tsx";
import css from "./ConnectTelegramView.module.css";
import { SendingIssue, StatusBadge, momentOf } from "./AccountStanding.tsx";

/** The health of the connected account: since when, last activity, limits, and what blocks sending. */
export function AccountHealth({ capDraft }: { capDraft?: TextDraft }) {
  const [chart, send] = ConnectedAccount.use();
  const { account, problem } = chart.context;
  const [missing, outdated] = [selectLoadFailed(chart), selectOutdated(chart)];
  const retry = () => send({ type: "reading.retry" });
  if (missing !== null) return <LoadError what={missing} onRetry={retry} />;
  // Shows failed actions and a failed refresh even if there is no account any more.
  if (account === null)
    return (
      <>
        {outdated !== null && <LoadError what={outdated} onRetry={retry} />}
        {problem !== null && <Banner tone="bad">{problem}</Banner>}
      </>
    );
  return (
    <Stack as={Card} gap={4} before={5} aria-labelledby="account-health">
      <Row wraps gap={[2, 3]}>
        <h2 id="account-health">{t`Account health`}</h2>
        <StatusBadge account={account} />
      </Row>
      <SendingIssue account={account} wayOn={<Resume />} />
      {outdated !== null && <LoadError isOutdated what={outdated} onRetry={retry} />}
      {problem !== null && <Banner tone="bad">{problem}</Banner>}
      <Grid as="dl" min="13rem" gap={4}>
        <Fact name={t`Phone`}>{account.phone === null ? "—" : <bdi dir="ltr">{account.phone}</bdi>}</Fact>
        <Fact name={t`Connected since`}>{momentOf(account.connected_at)}</Fact>
        <Fact name={t`Last activity`}>{momentOf(account.last_activity_at)}</Fact>
        <Fact name={t`Shown in Telegram as`}>{account.device ?? "—"}</Fact>
      </Grid>
      <DailyCap account={account} draft={capDraft} />
    </Stack>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <Note as="dt">{name}</Note>
      <Text as="dd" weight="medium">
        {children}
      </Text>
    </div>
  );
}

function Resume() {
  const [chart, send] = ConnectedAccount.use();
  const isResuming = chart.matches({ work: "resuming" });
  const resume = { type: "sending.resume" } as const;
  return (
    <Button onClick={() => send(resume)} isPending={isResuming} disabled={!chart.can(resume)}>
      {t`Resume sending`}
    </Button>
  );
}

/** Returns a typed limit; null if it is not a whole number in range. */
function capOf(text: string): number | null {
  const plain = plainNumber(text) ?? "";
  return isWholeNumber(plain, 1, DAILY_CAP_MAX) ? Number(plain) : null;
}

type DailyCapProps = { account: TelegramAccount; draft: TextDraft | undefined };

function DailyCap({ account, draft }: DailyCapProps) {
  const [chart, send] = ConnectedAccount.use();
  const isSaving = chart.matches({ work: "savingCap" });
  const canSave = chart.can({ type: "cap.submit", dailyCap: account.daily_cap });
  const submit = submitting((text) => {
    const cap = capOf(text("daily_cap"));
    if (canSave && cap !== null) send({ type: "cap.submit", dailyCap: cap });
  });
  return (
    <Row as="form" wraps align="start" gap={3} className={css["cap"]} onSubmit={submit} noValidate>
      <CapField account={account} draft={draft} />
      <Button type="submit" isPending={isSaving} disabled={!canSave}>
        {isSaving ? t`Saving...` : t`Save limit`}
      </Button>
    </Row>
  );
}

function CapField({ account, draft }: DailyCapProps) {
  const saved = String(account.daily_cap);
  const known = useMemo(() => draft?.read()?.text ?? saved, [draft, saved]);
  const [typed, setTyped] = useDraftOver(known, saved);
  return (
    <TextField
      className={css["capField"]}
      label={t`New contacts a day, at most`}
      name="daily_cap"
      inputMode="decimal"
      autoComplete="off"
      required
      value={typed}
      onChange={({ target: { value } }) => {
        setTyped(value);
        draft?.write({ text: value }, { text: saved });
      }}
      errorMessage={
        capOf(typed) !== null ? undefined : t`Write a whole number from 1 to ${{ limit: numberText(DAILY_CAP_MAX) }}.`
      }
      description={t`${{ sentToday: numberText(account.sent_today) }} sent today. Only messages to people you have not written with for 30 days count.`}
    />
  );
}
