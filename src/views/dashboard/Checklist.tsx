import { t } from "@lingui/core/macro";
import { Check, Circle } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { EXAMPLE_STAGES } from "../../../domain/example-stages.ts";
import { listText } from "../../language/format.ts";
import { Checklist, STEPS, type Step, type Steps, selectSteps } from "../../machines/checklist/checklist.machine.ts";
import { Button } from "../../ui/Button.tsx";
import { Card, VisuallyHidden, Grid, Note, Row, Stack, Text } from "../../ui/layout.tsx";
import { FormProblem } from "../../ui/form.tsx";
import { passFocusOnRemoval, passFocusToHeading } from "../../ui/lost-focus.ts";
import css from "./Checklist.module.css";
import { ReadProblems } from "../shell/ReadProblems.tsx";

export type FirstStepsProps = {
  steps: Steps;
  /** Whether a simulated Telegram replaces the user's phone. */
  hasSandboxPhone: boolean;
};

/** Returns the checklist, or an error if it failed to load; null if there is nothing to show. */
export function useFirstSteps(hasSandboxPhone: boolean): ReactNode {
  const [chart, send] = Checklist.use();
  const steps = selectSteps(chart);
  if (chart.hasTag("loadFailed")) return <ReadProblems chart={chart} send={send} />;
  return steps && <FirstSteps steps={steps} hasSandboxPhone={hasSandboxPhone} />;
}

export function FirstSteps({ steps, hasSandboxPhone }: FirstStepsProps) {
  const [chart, send] = Checklist.use();
  const { problem } = chart.context;
  const done = STEPS.filter((step) => steps[step]).length;
  const content: Record<Step, { title: string; hint: string; action: ReactNode }> = {
    connect: {
      title: t`Connect Telegram`,
      hint: t`People who write to your account become leads.`,
      action: (
        <>
          <Link href="/connect-telegram">{t`Connect`}</Link>
          {hasSandboxPhone && (
            <a href="/sandbox" target="_blank" rel="noreferrer">
              {t`Open the sandbox phone`}
            </a>
          )}
        </>
      ),
    },
    import: {
      title: t`Import your chats`,
      hint: steps.connect
        ? t`Existing chats become leads. Nothing is sent.`
        : t`Existing chats become leads once Telegram is connected. Nothing is sent.`,
      action: steps.connect && <Link href="/connect-telegram">{t`Import`}</Link>,
    },
    stages: {
      title: t`Add stages`,
      hint: t`A lead moves to a stage when they write one of its keywords. The examples are ${{ stages: listText(EXAMPLE_STAGES.map(({ name }) => t(name))) }}.`,
      action: (
        <>
          <AddStages />
          <Link href="/stages">{t`Add my own`}</Link>
        </>
      ),
    },
    followup: {
      title: t`Write a follow-up`,
      hint: t`It goes to leads of a stage who do not answer.`,
      action: <Link href="/followups">{t`Write`}</Link>,
    },
    automation: {
      title: t`Switch automatic follow-ups on`,
      hint: t`Until then you send each follow-up by hand.`,
      action: <Link href="/followups">{t`Switch on`}</Link>,
    },
  };
  return (
    <Card ref={passFocusToHeading} aria-labelledby="checklist">
      <Row gap={3}>
        <h2 id="checklist">{t`First steps`}</h2>
        <Note share="rest">{t`${done} of ${{ STEPS: STEPS.length }} done`}</Note>
        <Button
          variant="ghost"
          size="small"
          isPending={chart.matches("dismissing")}
          isAriaDisabled={!chart.can({ type: "checklist.dismiss" })}
          onClick={() => send({ type: "checklist.dismiss" })}
        >
          {t`Dismiss`}
        </Button>
      </Row>
      <FormProblem>{problem}</FormProblem>
      <ReadProblems chart={chart} send={send} />
      <Stack as="ol" isDivided before={2}>
        {STEPS.map((step) => {
          const { title, hint, action } = content[step];
          const isDone = steps[step];
          return (
            <Grid
              pad={[2, 0]}
              columns="1.125rem minmax(0, 1fr) auto"
              as="li"
              align="start"
              gap={[1, 3]}
              key={step}
              className={css["step"]}
              data-done={isDone || undefined}
            >
              {isDone ? <Check /> : <Circle />}
              <div>
                <Text weight={isDone ? "normal" : "medium"} tone={isDone ? "muted" : undefined}>
                  {title}
                  {isDone && <VisuallyHidden> {t`(done)`}</VisuallyHidden>}
                </Text>
                {!isDone && <Note>{hint}</Note>}
              </div>
              {!isDone && (
                <Row wraps justify="end" gap={[1, 4]} className={css["actions"]}>
                  {action}
                </Row>
              )}
            </Grid>
          );
        })}
      </Stack>
    </Card>
  );
}

function AddStages() {
  const [chart, send] = Checklist.use();
  return (
    <Button
      ref={passFocusOnRemoval}
      size="small"
      isPending={chart.matches("adding")}
      isAriaDisabled={!chart.can({ type: "stages.add" })}
      onClick={() => send({ type: "stages.add" })}
    >
      {t`Add example stages`}
    </Button>
  );
}
