import { type LucideIcon, Clock3, Layers, Smartphone, TrendingUp } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "wouter";
import {
  lastLeadText,
  selectAccounts,
  selectIsActive,
  selectLastLeadAt,
  selectLeads,
  selectStages,
  useDashboard,
} from "../../machines/dashboard/index.ts";
import { numberText } from "../../machines/kit/format.ts";
import { selectEmail, useSession } from "../../machines/session/index.ts";
import { Badge } from "../../ui/Badge.tsx";
import { Banner } from "../../ui/Banner.tsx";
import { PageHeader } from "../../ui/PageHeader.tsx";
import css from "./DashboardView.module.css";

const EMPTY = "—";
const countText = (value: number | undefined) => (value === undefined ? EMPTY : numberText(value));

export function DashboardView({ now }: { now: () => number }) {
  const email = useSession(selectEmail);
  const lastLeadAt = useDashboard(selectLastLeadAt);
  const leads = useDashboard(selectLeads);
  const stages = useDashboard(selectStages);
  const accounts = useDashboard(selectAccounts);
  return (
    <>
      <PageHeader
        title={email === null || email === "" ? "Welcome" : `Welcome, ${email}`}
        subtitle="Here’s a quick snapshot."
        actions={<Standing />}
      />
      <div className={css["cards"]}>
        <StatCard Icon={Clock3} name="Last lead received" subtitle="Most recent lead">
          {lastLeadAt === undefined ? EMPTY : lastLeadText(lastLeadAt, now())}
        </StatCard>
        <StatCard Icon={TrendingUp} name="Leads (7d)" subtitle="New leads last 7 days">
          {countText(leads)}
        </StatCard>
        <StatCard Icon={Layers} name="Active stages" subtitle="Configured in Stages">
          {countText(stages)}
        </StatCard>
        <StatCard Icon={Smartphone} name="Telegram accounts" subtitle="Connected">
          {countText(accounts)}
        </StatCard>
      </div>
      {accounts === 0 && (
        <div className={css["next"]}>
          <Banner actions={<Link href="/connect-telegram">Set it up</Link>}>
            Connect your Telegram account, and the people who write to you become leads here.
          </Banner>
        </div>
      )}
    </>
  );
}

function Standing() {
  const isActive = useDashboard(selectIsActive);
  if (isActive === undefined) return null;
  return isActive ? (
    <Badge tone="good">Subscription: active</Badge>
  ) : (
    <>
      <Badge tone="bad">Subscription: none</Badge>
      <Link href="/subscribe">Subscribe</Link>
    </>
  );
}

type StatCardProps = { Icon: LucideIcon; name: string; subtitle: string; children: ReactNode };

function StatCard({ Icon, name, subtitle, children }: StatCardProps) {
  return (
    <section className={css["card"]} aria-label={name}>
      <h2 className={css["name"]}>
        <Icon aria-hidden="true" />
        {name}
      </h2>
      <p className={css["value"]}>{children}</p>
      <p className={css["subtitle"]}>{subtitle}</p>
    </section>
  );
}
