import { type FormEvent, useState } from "react";
import { DAILY_CAP_MAX } from "../../../domain/limits.ts";
import type { TelegramAccount } from "../../../domain/telegram.ts";
import { momentText, numberText } from "../../machines/kit/format.ts";
import { selectOutdated, selectUnread } from "../../machines/kit/reading.ts";
import {
  TelegramAccountProvider,
  type createTelegramAccount,
  selectAccount,
  selectIsResuming,
  selectIsSavingCap,
  selectProblem,
  useCanTelegramAccount,
  useTelegramAccount,
  useTelegramAccountEvents,
} from "../../machines/telegram-account/index.ts";
import { Banner } from "../../ui/Banner.tsx";
import { Button } from "../../ui/Button.tsx";
import { Card } from "../../ui/Card.tsx";
import { formText } from "../../ui/form-text.ts";
import { type KeptText, UNKEPT } from "../../ui/kept-text.ts";
import { NotRead } from "../../ui/NotRead.tsx";
import { NumberField } from "../../ui/NumberField.tsx";
import css from "./AccountHealth.module.css";
import { Hindrance, StatusBadge } from "./AccountStanding.tsx";

export type AccountHealthLogic = ReturnType<typeof createTelegramAccount>;

const momentOf = (time: string | null): string => momentText(time) ?? "—";

/** How the connected account fares: since when, its last activity, its limits, and what holds it up. */
export function AccountHealth({ logic, keptCap }: { logic: AccountHealthLogic; keptCap: KeptText }) {
  return (
    <TelegramAccountProvider logic={logic}>
      <HealthPanel keptCap={keptCap} />
    </TelegramAccountProvider>
  );
}

export function HealthPanel({ keptCap = UNKEPT }: { keptCap?: KeptText }) {
  const account = useTelegramAccount(selectAccount);
  const problem = useTelegramAccount(selectProblem);
  const unread = useTelegramAccount(selectUnread);
  const outdated = useTelegramAccount(selectOutdated);
  const { retryReading } = useTelegramAccountEvents();
  if (unread !== null) return <NotRead what={unread} onRetry={retryReading} />;
  // What was asked of an account that is told of no longer, and a look for it that failed, are said all the same.
  if (account === null)
    return (
      <>
        {outdated !== null && <NotRead what={outdated} onRetry={retryReading} />}
        {problem !== null && <Banner tone="bad">{problem}</Banner>}
      </>
    );
  return (
    <Card className={css["panel"]} aria-labelledby="account-health">
      <div className={css["head"]}>
        <h2 id="account-health" className={css["title"]}>
          Account health
        </h2>
        <StatusBadge account={account} />
      </div>
      <Hindrance account={account} wayOn={<Resume />} />
      {outdated !== null && <NotRead isOutdated what={outdated} onRetry={retryReading} />}
      {problem !== null && <Banner tone="bad">{problem}</Banner>}
      <dl className={css["facts"]}>
        <Fact name="Phone">{account.phone === null ? "—" : <bdi>{account.phone}</bdi>}</Fact>
        <Fact name="Connected since">{momentOf(account.connected_at)}</Fact>
        <Fact name="Last activity">{momentOf(account.last_activity_at)}</Fact>
        <Fact name="Shown in Telegram as">{account.device ?? "—"}</Fact>
      </dl>
      <DailyCap account={account} kept={keptCap} />
    </Card>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Resume() {
  const isResuming = useTelegramAccount(selectIsResuming);
  const canResume = useCanTelegramAccount({ type: "sending.resume" });
  const { resumeSending } = useTelegramAccountEvents();
  return (
    <Button onClick={resumeSending} isPending={isResuming} disabled={!canResume && !isResuming}>
      Resume sending
    </Button>
  );
}

const isCap = (number: number): boolean => Number.isInteger(number) && number >= 1 && number <= DAILY_CAP_MAX;

type DailyCapProps = { account: TelegramAccount; kept: KeptText };

function DailyCap({ account, kept }: DailyCapProps) {
  const isSaving = useTelegramAccount(selectIsSavingCap);
  const canSave = useCanTelegramAccount({ type: "cap.submit", dailyCap: account.daily_cap });
  const { submitDailyCap } = useTelegramAccountEvents();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const cap = Number(formText(event.currentTarget)("daily_cap"));
    if (canSave && isCap(cap)) submitDailyCap(cap);
  };
  return (
    <form className={css["cap"]} onSubmit={submit} noValidate>
      <CapField key={account.daily_cap} account={account} kept={kept} />
      <Button type="submit" isPending={isSaving} disabled={!canSave && !isSaving}>
        {isSaving ? "Saving..." : "Save limit"}
      </Button>
    </form>
  );
}

function CapField({ account, kept }: DailyCapProps) {
  const saved = String(account.daily_cap);
  const [typedBefore] = useState(() => kept.read(saved));
  const [typed, setTyped] = useState(typedBefore);
  return (
    <NumberField
      className={css["capField"]}
      label="New contacts a day, at most"
      name="daily_cap"
      min={1}
      max={DAILY_CAP_MAX}
      step={1}
      required
      defaultValue={typedBefore}
      onChange={({ target: { value } }) => {
        setTyped(value);
        kept.keep(value, saved);
      }}
      errorMessage={isCap(Number(typed)) ? undefined : `Write a whole number from 1 to ${numberText(DAILY_CAP_MAX)}.`}
      description={`${numberText(account.sent_today)} sent today. Only messages to people you have not written with for 30 days count.`}
    />
  );
}
