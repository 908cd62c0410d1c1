import { t } from "@lingui/core/macro";
import type { ReactNode } from "react";
import { Followups } from "../../machines/followups/followups.machine.ts";
import { selectOutdated } from "../../machines/kit/loading.ts";
import { Banner } from "../../ui/Banner.tsx";
import { Button } from "../../ui/Button.tsx";
import { Card, Box, Grid, Stack } from "../../ui/layout.tsx";
import { LoadError } from "../../ui/LoadError.tsx";
import { PageHeader } from "../../ui/PageHeader.tsx";
import { Skeleton } from "../../ui/Loading.tsx";
import { AutomationForm, type Schedule } from "./AutomationForm.tsx";
import { FollowupForm } from "./FollowupForm.tsx";
import { FollowupGroups } from "./FollowupGroups.tsx";

/** `notice` is shown above the settings; `schedule` has the time zone and weekdays. */
export function FollowupsView({ notice, schedule }: { notice?: ReactNode; schedule: Schedule }) {
  const isLoading = Followups.useSelector((chart) => chart.hasTag("loading"));
  const hasFailed = Followups.useSelector((chart) => chart.hasTag("loadFailed"));
  const outdated = Followups.useSelector(selectOutdated);
  const send = Followups.useSend();
  const retry = () => send({ type: "reading.retry" });
  return (
    <>
      <PageHeader title={t`Follow-up Settings`} subtitle={t`What to say next in each stage, and when it may go out.`} />
      {notice}
      <Grid columns="minmax(0, 22rem) minmax(0, 1fr)" align="start" gap={5} folds>
        <Stack gap={4}>
          <AutomationForm schedule={schedule} />
          <FollowupForm />
        </Stack>
        <Box share="less">
          {isLoading && (
            <Stack gap={4} tone="muted">
              <p role="status">{t`Loading follow-ups...`}</p>
              <SkeletonCard />
              <SkeletonCard />
            </Stack>
          )}
          {hasFailed && (
            <Banner tone="bad" actions={<Button onClick={retry}>{t`Try again`}</Button>}>
              {t`Failed to load follow-ups.`}
            </Banner>
          )}
          {outdated !== null && <LoadError what={outdated} isOutdated onRetry={retry} />}
          {!isLoading && !hasFailed && <FollowupGroups />}
        </Box>
      </Grid>
    </>
  );
}

function SkeletonCard() {
  return (
    <Stack as={Card} gap={3}>
      <Skeleton width="30%" height="1.25rem" />
      <Skeleton />
      <Skeleton width="80%" />
      <Skeleton width="60%" />
    </Stack>
  );
}
