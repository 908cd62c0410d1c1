import { Fragment } from "react";
import {
  OverdueFollowupsProvider,
  type createOverdueFollowups,
  namesOf,
  selectIsPlanning,
  selectOverdue,
  selectProblem,
  useCanOverdueFollowups,
  useOverdueFollowups,
  useOverdueFollowupsEvents,
  waitingWords,
} from "../../machines/overdue-followups/index.ts";
import { selectOutdated, selectUnread } from "../../machines/kit/reading.ts";
import { Banner } from "../../ui/Banner.tsx";
import { Button } from "../../ui/Button.tsx";
import { handFocusOn } from "../../ui/focus.ts";
import { NotRead } from "../../ui/NotRead.tsx";
import css from "./OverdueBanner.module.css";

export type OverdueLogic = ReturnType<typeof createOverdueFollowups>;

/** Says which follow-ups wait for the person's word, or that it is not known; nothing while none does. */
export function OverdueBanner({ logic }: { logic: OverdueLogic }) {
  return (
    <OverdueFollowupsProvider logic={logic}>
      <OverdueNotice />
    </OverdueFollowupsProvider>
  );
}

export function OverdueNotice() {
  const { total } = useOverdueFollowups(selectOverdue);
  const unread = useOverdueFollowups(selectUnread);
  const outdated = useOverdueFollowups(selectOutdated);
  const problem = useOverdueFollowups(selectProblem);
  const { retryReading } = useOverdueFollowupsEvents();
  const missing = unread ?? outdated;
  if (total === 0 && missing === null) return null;
  return (
    <div className={css["notice"]}>
      {missing !== null && <NotRead what={missing} isOutdated={unread === null} onRetry={retryReading} />}
      {problem !== null && <Banner tone="bad">{problem}</Banner>}
      {total > 0 && <Waiting />}
    </div>
  );
}

function Waiting() {
  const { total, leads } = useOverdueFollowups(selectOverdue);
  const isPlanning = useOverdueFollowups(selectIsPlanning);
  const canSend = useCanOverdueFollowups({ type: "overdue.send" });
  const { sendOverdue } = useOverdueFollowupsEvents();
  const { named, more } = namesOf(
    leads.map((lead) => lead.name),
    total,
  );
  return (
    <Banner
      actions={
        <Button ref={handFocusOn} onClick={sendOverdue} isPending={isPlanning} isResting={!canSend}>
          Send overdue follow-ups
        </Button>
      }
    >
      {waitingWords(total)}
      {named.length > 0 && (
        <>
          {" To "}
          {named.map((name, index) => (
            <Fragment key={index}>
              {index > 0 && ", "}
              <bdi>{name}</bdi>
            </Fragment>
          ))}
          {more > 0 ? ` and ${more} more.` : "."}
        </>
      )}
    </Banner>
  );
}
