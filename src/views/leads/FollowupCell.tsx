import { selectFollowupState, selectRefusal, useLeadRow, useLeadRowEvents } from "../../machines/lead-row/index.ts";
import { Button } from "../../ui/Button.tsx";
import css from "./FollowupCell.module.css";

const WORDS = { sent: "Follow-up sent!", refused: "Failed to send.", unanswered: "Error occurred." };

/** Sends the lead's next follow-up now and says in place how that went. */
export function FollowupCell() {
  const state = useLeadRow(selectFollowupState);
  const refusal = useLeadRow(selectRefusal);
  const { sendFollowup } = useLeadRowEvents();
  const isSending = state === "sending";
  return (
    <>
      <Button size="small" isPending={isSending} onClick={sendFollowup}>
        {isSending ? "Sending..." : "Send Follow-Up"}
      </Button>
      {state !== "unsent" && !isSending && (
        <div className={css["outcome"]} data-outcome={state} role="status">
          <span>{WORDS[state]}</span>
          {refusal !== null && <span className={css["reason"]}>{refusal}</span>}
        </div>
      )}
    </>
  );
}
