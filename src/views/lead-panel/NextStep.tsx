import { translate } from "#language";
import { msg, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { sentenceOfAutomation } from "../../../domain/automation-messages.ts";
import { cutText } from "../../../domain/cut-text.ts";
import { STEP_PREVIEW_CHARS } from "../../../domain/limits.ts";
import { fillPlaceholders } from "../../../domain/placeholders.ts";
import type { LeadDetail } from "../../../domain/lead.ts";
import { AutomationHold } from "../../machines/automation-hold/automation-hold.machine.ts";
import { momentText } from "../../language/format.ts";
import { type Panel, stepMessage } from "../../machines/lead-panel/lead-panel.machine.ts";
import type { RowState, SendToRow } from "../../machines/lead-row/lead-row.machine.ts";
import { nextStep, stepCount } from "../../machines/lead-row/lead-row.steps.ts";
import { Button } from "../../ui/Button.tsx";
import { FormProblem } from "../../ui/form.tsx";
import { HoldButtons, HoldForm } from "./HoldControls.tsx";
import { Note, Row, Text, Span } from "../../ui/layout.tsx";
import css from "./LeadPanel.module.css";
import { ReadProblems } from "../shell/ReadProblems.tsx";

const OUTCOMES = { sent: msg`Follow-up sent!`, refused: msg`Failed to send.`, unanswered: msg`Error occurred.` };

type NextStepProps = { lead: LeadDetail; row: RowState; panel: Panel; send: SendToRow };

/** The next message to the lead, its outlook in one sentence, and the user's actions. */
export function NextStep({ lead: detail, row, panel: { steps, stages }, send }: NextStepProps) {
  const { followupState: state, refusal, canSend, lead } = row;
  const [hold, sendToHold] = AutomationHold.use();
  const { automation } = hold.context;
  const { work } = hold.value;
  const template = nextStep(lead, steps);
  const stage = stages.find(({ id }) => id === lead.stage_id)?.name ?? null;
  // Filled in for this lead.
  const text =
    template === null
      ? null
      : typeof template === "string"
        ? fillPlaceholders(template, { ...lead, stage })
        : translate(template);
  // The server's step may be newer, but only its beginning is known.
  const preview = automation?.step?.preview ?? "";
  const isKnown = preview === "" || (text !== null && cutText(text, STEP_PREVIEW_CHARS) === preview);
  const step = isKnown ? text : preview;
  const words =
    (automation && sentenceOfAutomation(automation)) ||
    stepMessage({ ...detail, stage_id: lead.stage_id }, template, stepCount(lead, steps));
  const due = momentText(automation?.due_at ?? null);
  const isSending = state === "sending";
  const isChoosing = work === "choosing" || work === "holding";
  return (
    <section aria-labelledby="lead-next">
      <Note as="h2" after={2} size="xs" id="lead-next">
        <Trans>
          Next step{" "}
          <Span weight="normal">
            {lead.followup_order_sent}/{stepCount(lead, steps)}
          </Span>
        </Trans>
      </Note>
      {step !== null && (
        <Text as="blockquote" after={2} className={css["step"]} dir="auto" title={step}>
          <Span clamp={5}>{step}</Span>
        </Text>
      )}
      {due !== null && (
        <Text after={1} size="sm" weight="medium">
          {t`${due}, your time`}
        </Text>
      )}
      <Text
        after={2}
        size="sm"
        id="lead-next-words"
        // The answer to 'Why not sent?', which may equal the previous text.
        {...(hold.matches({ reason: "asked" }) && { role: "status", surface: "callout", pad: [2, 3] })}
      >
        {translate(words)}
      </Text>
      <ReadProblems chart={hold} send={sendToHold} />
      <Row wraps gap={2}>
        {(step !== null || isSending) && (
          <Button
            size="small"
            isPending={isSending}
            isAriaDisabled={!canSend}
            aria-describedby="lead-next-words"
            onClick={() => send({ type: "followup.send" })}
          >
            {isSending ? t`Sending...` : t`Send now`}
          </Button>
        )}
        {/* Lost focus moves within this box, never to the send button. */}
        <div className={css["steering"]}>
          {!isChoosing && <HoldButtons />}
          {hold.can({ type: "reason.ask" }) && (
            <Button size="small" variant="ghost" onClick={() => sendToHold({ type: "reason.ask" })}>
              {t`Why not sent?`}
            </Button>
          )}
          <HoldForm />
        </div>
      </Row>
      <FormProblem>{hold.context.problem}</FormProblem>
      {(state === "sent" || state === "refused" || state === "unanswered") && (
        <Text before={2} size="sm" tone={state === "sent" ? "good" : "bad"} role="status">
          {t(OUTCOMES[state])} {translate(refusal)}
        </Text>
      )}
    </section>
  );
}
