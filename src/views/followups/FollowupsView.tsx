import type { ReactNode } from "react";
import { selectIsLoading, selectIsUnread, useFollowups, useFollowupsEvents } from "../../machines/followups/index.ts";
import { selectOutdated } from "../../machines/kit/reading.ts";
import { Banner } from "../../ui/Banner.tsx";
import { Button } from "../../ui/Button.tsx";
import { Card } from "../../ui/Card.tsx";
import { NotRead } from "../../ui/NotRead.tsx";
import { PageHeader } from "../../ui/PageHeader.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { AutomationForm, type AutomationPlace } from "./AutomationForm.tsx";
import { FollowupForm } from "./FollowupForm.tsx";
import { FollowupGroups } from "./FollowupGroups.tsx";
import css from "./FollowupsView.module.css";

/** `notice` stands above the settings, when there is something to say; `place` says whose hours the allowed hours are. */
export function FollowupsView({ notice, place }: { notice?: ReactNode; place?: AutomationPlace }) {
  const isLoading = useFollowups(selectIsLoading);
  const isUnread = useFollowups(selectIsUnread);
  const outdated = useFollowups(selectOutdated);
  const { retryReading } = useFollowupsEvents();
  return (
    <>
      <PageHeader title="Follow-up Settings" subtitle="What to say next in each stage, and when it may go out." />
      {notice}
      <div className={css["columns"]}>
        <div className={css["side"]}>
          <AutomationForm place={place} />
          <FollowupForm />
        </div>
        <div className={css["main"]}>
          {isLoading && (
            <div className={css["loading"]}>
              <p role="status">Loading follow-ups...</p>
              <SkeletonCard />
              <SkeletonCard />
            </div>
          )}
          {isUnread && (
            <Banner tone="bad" actions={<Button onClick={retryReading}>Try again</Button>}>
              Failed to load follow-ups.
            </Banner>
          )}
          {outdated !== null && <NotRead what={outdated} isOutdated onRetry={retryReading} />}
          {!isLoading && !isUnread && <FollowupGroups />}
        </div>
      </div>
    </>
  );
}

function SkeletonCard() {
  return (
    <Card className={css["skeletons"]}>
      <Skeleton width="30%" height="1.25rem" />
      <Skeleton />
      <Skeleton width="80%" />
      <Skeleton width="60%" />
    </Card>
  );
}
