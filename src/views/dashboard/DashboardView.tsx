import { t } from "@lingui/core/macro";
import { type LucideIcon, Clock3, Layers, Smartphone, TrendingUp } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { Link } from "wouter";
import { translate } from "#language";
import { type DashboardParts, useDashboardFigures, lastLeadText } from "../../machines/dashboard/dashboard.figures.ts";
import { numberText } from "../../language/format.ts";
import { type Readout, useReading } from "../../machines/reading/reading.machine.ts";
import { Session, selectEmail } from "../../machines/session/session.machine.ts";
import { Badge } from "../../ui/Badge.tsx";
import { Banner } from "../../ui/Banner.tsx";
import { LoadError } from "../../ui/LoadError.tsx";
import { PageHeader } from "../../ui/PageHeader.tsx";
import { useNow } from "../../ui/hooks.ts";
import { Box, Grid, Note, Row, Stack } from "../../ui/layout.tsx";
import css from "./DashboardView.module.css";

export type DashboardViewProps = {
  deps: DashboardParts;
  /** The checklist of first steps, unless dismissed. */
  checklist?: ReactNode;
  /** Whether the checklist is still loading. */
  isChecklistAwaited?: boolean;
  /** The content below the cards once they have loaded. */
  day?: ReactNode;
};

export function DashboardView({ deps, checklist = null, isChecklistAwaited = false, day }: DashboardViewProps) {
  const email = Session.useSelector(selectEmail);
  const { lastLeadAt, leads, stages, accounts, isActive } = useDashboardFigures(deps);
  const isCounted = [lastLeadAt, leads, stages, accounts].every(({ status }) => status !== "loading");
  const now = useNow(deps.now);
  const isDayShown = useEver(isCounted && !isChecklistAwaited);
  return (
    <>
      <PageHeader
        title={email === null || email === "" ? t`Welcome` : t`Welcome, ${email}`}
        subtitle={t`Here’s a quick snapshot.`}
        actions={<Standing isActive={isActive} />}
      />
      <Grid min="10rem" gap={4}>
        <StatCard
          Icon={Clock3}
          name={t`Last lead received`}
          subtitle={t`Most recent lead`}
          to="/leads"
          what={t`the last lead`}
          readout={lastLeadAt}
          none={null}
          textOf={(at) => translate(lastLeadText(at, now))}
        />
        <StatCard
          Icon={TrendingUp}
          name={t`Leads (7d)`}
          subtitle={t`New leads last 7 days`}
          to="/leads"
          what={t`the number of leads`}
          readout={leads}
          none={0}
          textOf={numberText}
        />
        <StatCard
          Icon={Layers}
          name={t`Active stages`}
          subtitle={t`Configured in Stages`}
          to="/stages"
          what={t`the number of stages`}
          readout={stages}
          none={0}
          textOf={numberText}
        />
        <StatCard
          Icon={Smartphone}
          name={t`Telegram accounts`}
          subtitle={t`Connected`}
          to="/connect-telegram"
          what={t`the number of Telegram accounts`}
          readout={accounts}
          none={0}
          textOf={numberText}
        />
      </Grid>
      {checklist !== null && <Box before={5}>{checklist}</Box>}
      {checklist === null && !isChecklistAwaited && accounts.value === 0 && <FirstRun deps={deps} />}
      {isDayShown && day}
    </>
  );
}

/** A new user's next step. After a lost session, a banner says so instead. */
function FirstRun({ deps: { readIsLost, logger } }: { deps: DashboardParts }) {
  const { status, value } = useReading({ read: readIsLost, what: "whether Telegram ended the session", logger });
  if (status === "loading" || value === true) return null;
  return (
    <Box before={5}>
      <Banner actions={<Link href="/connect-telegram">{t`Set it up`}</Link>}>
        {t`Connect your Telegram account, and the people who write to you become leads here.`}
      </Banner>
    </Box>
  );
}

/** Slow counts delay the rest of the screen by no more than this. */
const LATEST_MS = 1_000;

/** True once `isNow` was true, and after a second at the latest. */
function useEver(isNow: boolean): boolean {
  const [hasBeen, setHasBeen] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setHasBeen(true), isNow ? 0 : LATEST_MS);
    return () => clearTimeout(timer);
  }, [isNow]);
  return hasBeen;
}

function Standing({ isActive }: { isActive: Readout<boolean> }) {
  if (isActive.status === "loading") return null;
  if (isActive.value === true) return <Badge tone="good">{t`Subscription: active`}</Badge>;
  return (
    <>
      <Badge tone="bad">{t`Subscription: none`}</Badge>
      <MissingMark what={t`your subscription`} readout={isActive} />
      <Link href="/subscribe">{t`Subscribe`}</Link>
    </>
  );
}

type StatCardProps<Value> = {
  Icon: LucideIcon;
  name: string;
  subtitle: string;
  /** The screen that shows the counted items. */
  to: string;
  /** The figure's name within a sentence. */
  what: string;
  readout: Readout<Value>;
  /** The value shown if loading failed, beside the mark that says so. */
  none: Value;
  textOf: (value: Value) => string;
};

function StatCard<Value>({ Icon, name, subtitle, to, what, readout, none, textOf }: StatCardProps<Value>) {
  const { status, value } = readout;
  return (
    <Stack surface="card" as="section" gap={1} className={css["card"]} aria-label={name}>
      <Row as="h2" gap={2} size="md" tone="muted" weight="firm" className={css["name"]}>
        <Icon />
        <Link href={to} className={css["link"]}>
          {name}
        </Link>
      </Row>
      <p className={css["value"]}>{status === "loading" ? "—" : textOf(value === undefined ? none : value)}</p>
      <Note>{subtitle}</Note>
      <div className={css["missing"]}>
        <MissingMark what={what} readout={readout} />
      </div>
    </Stack>
  );
}

function MissingMark({ what, readout: { status, retry } }: { what: string; readout: Readout<unknown> }) {
  if (status !== "loadFailed" && status !== "outdated") return null;
  return <LoadError isShort what={what} isOutdated={status === "outdated"} onRetry={retry} />;
}
