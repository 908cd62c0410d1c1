import { Check, Circle } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "wouter";
import {
  STEPS,
  type Step,
  type Steps,
  selectIsAdding,
  selectIsDismissing,
  selectOutdated,
  selectProblem,
  selectSteps,
  selectUnread,
  useCanChecklist,
  useChecklist,
  useChecklistEvents,
} from "../../machines/checklist/index.ts";
import { Button } from "../../ui/Button.tsx";
import { Card } from "../../ui/Card.tsx";
import { FormProblem } from "../../ui/FormProblem.tsx";
import { NotRead } from "../../ui/NotRead.tsx";
import { VisuallyHidden } from "../../ui/VisuallyHidden.tsx";
import { handFocusOn, handFocusToHeading } from "../../ui/focus.ts";
import css from "./Checklist.module.css";

export type ChecklistProps = {
  steps: Steps;
  /** The simulated Telegram stands in for the user's phone. */
  hasSandboxPhone: boolean;
};

/** Returns the checklist, or the mark in its place when it could not be read; null when there is nothing to show. */
export function useFirstSteps(hasSandboxPhone: boolean): ReactNode {
  const unread = useChecklist(selectUnread);
  const steps = useChecklist(selectSteps);
  const { retryReading } = useChecklistEvents();
  if (unread !== null) return <NotRead what={unread} onRetry={retryReading} />;
  return steps && <Checklist steps={steps} hasSandboxPhone={hasSandboxPhone} />;
}

/** The first steps of a new user, each with a link to its screen. */
export function Checklist({ steps, hasSandboxPhone }: ChecklistProps) {
  const problem = useChecklist(selectProblem);
  const outdated = useChecklist(selectOutdated);
  const isDismissing = useChecklist(selectIsDismissing);
  const canDismiss = useCanChecklist({ type: "checklist.dismiss" });
  const { dismiss, retryReading } = useChecklistEvents();
  const done = STEPS.filter((step) => steps[step]).length;
  const content: Record<Step, { title: string; hint: string; action: ReactNode }> = {
    connect: {
      title: "Connect Telegram",
      hint: "People who write to your account become leads.",
      action: (
        <>
          <Link href="/connect-telegram">Connect</Link>
          {hasSandboxPhone && (
            <a href="/sandbox" target="_blank" rel="noreferrer">
              Open the sandbox phone
            </a>
          )}
        </>
      ),
    },
    import: {
      title: "Import your chats",
      hint: steps.connect
        ? "Existing chats become leads. Nothing is sent."
        : "Existing chats become leads once Telegram is connected. Nothing is sent.",
      action: steps.connect && <Link href="/connect-telegram">Import</Link>,
    },
    stages: {
      title: "Add stages",
      hint: "A lead moves to a stage when they write one of its keywords. The examples are Interested, Ready to buy and Customer.",
      action: (
        <>
          <AddStages />
          <Link href="/stages">Add my own</Link>
        </>
      ),
    },
    followup: {
      title: "Write a follow-up",
      hint: "It goes to leads of a stage who do not answer.",
      action: <Link href="/followups">Write</Link>,
    },
    automation: {
      title: "Switch automatic follow-ups on",
      hint: "Until then you send each follow-up by hand.",
      action: <Link href="/followups">Switch on</Link>,
    },
  };
  return (
    <Card ref={handFocusToHeading} aria-labelledby="checklist">
      <div className={css["head"]}>
        <h2 id="checklist" className={css["title"]}>
          First steps
        </h2>
        <p className={css["hint"]}>
          {done} of {STEPS.length} done
        </p>
        <Button variant="ghost" size="small" isPending={isDismissing} isResting={!canDismiss} onClick={dismiss}>
          Dismiss
        </Button>
      </div>
      {problem !== null && <FormProblem>{problem}</FormProblem>}
      {outdated !== null && <NotRead what={outdated} isOutdated onRetry={retryReading} />}
      <ol className={css["steps"]}>
        {STEPS.map((step) => {
          const { title, hint, action } = content[step];
          const isDone = steps[step];
          return (
            <li key={step} className={css["step"]} data-done={isDone || undefined}>
              {isDone ? <Check aria-hidden="true" /> : <Circle aria-hidden="true" />}
              <div className={css["words"]}>
                <p className={css["name"]}>
                  {title}
                  {isDone && <VisuallyHidden> (done)</VisuallyHidden>}
                </p>
                {!isDone && <p className={css["hint"]}>{hint}</p>}
              </div>
              {!isDone && <div className={css["actions"]}>{action}</div>}
            </li>
          );
        })}
      </ol>
    </Card>
  );
}

function AddStages() {
  const isAdding = useChecklist(selectIsAdding);
  const canAdd = useCanChecklist({ type: "stages.add" });
  const { addStages } = useChecklistEvents();
  return (
    <Button ref={handFocusOn} size="small" isPending={isAdding} isResting={!canAdd} onClick={addStages}>
      Add example stages
    </Button>
  );
}
