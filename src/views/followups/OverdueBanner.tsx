import {
  OverdueFollowupsProvider,
  type createOverdueFollowups,
  namesOf,
  selectIsPlanning,
  selectIsShown,
  selectOverdue,
  selectProblem,
  useCanOverdueFollowups,
  useOverdueFollowups,
  useOverdueFollowupsEvents,
  waitingWords,
} from "../../machines/overdue-followups/index.ts";
import { Banner } from "../../ui/Banner.tsx";
import { Button } from "../../ui/Button.tsx";
import css from "./OverdueBanner.module.css";

export type OverdueLogic = ReturnType<typeof createOverdueFollowups>;

/** Says which follow-ups wait for the person's word; nothing while none does. */
export function OverdueBanner({ logic }: { logic: OverdueLogic }) {
  return (
    <OverdueFollowupsProvider logic={logic}>
      <OverdueNotice />
    </OverdueFollowupsProvider>
  );
}

export function OverdueNotice() {
  const isShown = useOverdueFollowups(selectIsShown);
  const { total, leads } = useOverdueFollowups(selectOverdue);
  const isPlanning = useOverdueFollowups(selectIsPlanning);
  const problem = useOverdueFollowups(selectProblem);
  const canSend = useCanOverdueFollowups({ type: "overdue.send" });
  const { sendOverdue } = useOverdueFollowupsEvents();
  if (!isShown) return null;
  const { named, more } = namesOf(
    leads.map((lead) => lead.name),
    total,
  );
  return (
    <div className={css["notice"]}>
      {problem !== null && <Banner tone="bad">{problem}</Banner>}
      <Banner
        actions={
          <Button onClick={sendOverdue} isPending={isPlanning} isResting={!canSend}>
            Send overdue follow-ups
          </Button>
        }
      >
        {waitingWords(total)}
        {named.length > 0 && (
          <>
            {" To "}
            <bdi>{named.join(", ")}</bdi>
            {more > 0 ? ` and ${more} more.` : "."}
          </>
        )}
      </Banner>
    </div>
  );
}
