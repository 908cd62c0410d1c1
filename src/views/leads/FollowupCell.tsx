import { translate } from "#language";
import { msg, t } from "@lingui/core/macro";
import type { RowState, SendToRow } from "../../machines/lead-row/lead-row.machine.ts";
import { type StepsByStage, nextStep, stepCount } from "../../machines/lead-row/lead-row.steps.ts";
import { Button as button } from "../../ui/Button.tsx";
import css from "./FollowupCell.module.css";

const RESULTS = { sent: msg`Follow-up sent!`, refused: msg`Failed to send.`, unanswered: msg`Error occurred.` };

/** Sends the lead's next follow-up and shows the outcome in place; before, shows its text, or that there is none left. */
export function followupCell({ row, steps, send }: { row: RowState; steps: StepsByStage; send: SendToRow }) {
  const { followupState: state, refusal, canSend, lead } = row;
  const nextId = `next-${lead.id}`;
  const isSending = state === "sending";
  const step = nextStep(lead, steps);
  const next = step === null ? restLabel(stepCount(lead, steps)) : t`Next: ${{ step: translate(step) }}`;
  return (
    <>
      {button({
        size: "small",
        isPending: isSending,
        isAriaDisabled: !canSend,
        "aria-describedby": nextId,
        onClick: () => send({ type: "followup.send" }),
        children: isSending ? t`Sending...` : t`Send Follow-Up`,
      })}
      <div id={nextId} className={css["next"]} dir="auto" title={next}>
        {next}
      </div>
      {(state === "sent" || state === "refused" || state === "unanswered") && (
        <div className={css["outcome"]} data-outcome={state} role="status">
          <span>{t(RESULTS[state])}</span>
          {refusal !== null && <span className={css["reason"]}>{translate(refusal)}</span>}
        </div>
      )}
    </>
  );
}

const restLabel = (steps: number) => (steps === 0 ? t`Stage has no steps` : t`All steps sent`);
