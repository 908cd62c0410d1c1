import { t } from "@lingui/core/macro";
import { useId } from "react";
import { translate } from "#language";
import { AutomationHold } from "../../machines/automation-hold/automation-hold.machine.ts";
import { HOLD_CHOICES, HOLD_LABELS, isHoldChoice } from "../../machines/automation-hold/automation-hold.until.ts";
import { Button } from "../../ui/Button.tsx";
import { DateField } from "../../ui/DateField.tsx";
import { passFocusOnRemoval } from "../../ui/lost-focus.ts";
import { submitting } from "../../ui/form.tsx";
import { NativeSelect } from "../../ui/Field.tsx";
import { Row, Stack, Text } from "../../ui/layout.tsx";
import css from "./LeadPanel.module.css";

/** Holds, resumes and skips a lead's automation, each if its state allows it. */
export function HoldButtons() {
  const [chart, send] = AutomationHold.use();
  const { work } = chart.value;
  return (
    <>
      {chart.can({ type: "hold.choose" }) && (
        <Button size="small" onClick={() => send({ type: "hold.choose" })}>
          {t`Hold`}
        </Button>
      )}
      {(chart.can({ type: "automation.resume" }) || work === "resuming") && (
        <Button
          ref={passFocusOnRemoval}
          size="small"
          isPending={work === "resuming"}
          onClick={() => send({ type: "automation.resume" })}
        >
          {t`Resume`}
        </Button>
      )}
      {(chart.can({ type: "step.skip" }) || work === "skipping") && (
        <Button
          ref={passFocusOnRemoval}
          size="small"
          isPending={work === "skipping"}
          onClick={() => send({ type: "step.skip" })}
        >
          {t`Skip`}
        </Button>
      )}
    </>
  );
}

/** Asks how long the automation is held. */
export function HoldForm() {
  const id = useId();
  const [chart, send] = AutomationHold.use();
  const { work } = chart.value;
  const { choice, date } = chart.context.hold;
  const canChange = chart.can({ type: "hold.change", change: {} });
  const canSubmit = chart.can({ type: "hold.submit" });
  if (work !== "choosing" && work !== "holding") return null;
  return (
    <Stack
      as="form"
      gap={3}
      before={1}
      pad={3}
      ref={passFocusOnRemoval}
      className={css["form"]}
      aria-labelledby={id}
      noValidate
      onSubmit={submitting(() => send({ type: "hold.submit" }))}
    >
      <Text as="h3" size="sm" id={id}>
        {t`Hold automatic messages`}
      </Text>
      <NativeSelect
        label={t`Until when`}
        value={choice}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- it takes the focus from the button that it replaces
        autoFocus
        disabled={!canChange}
        onChange={({ target: { value } }) =>
          isHoldChoice(value) && send({ type: "hold.change", change: { choice: value } })
        }
      >
        {HOLD_CHOICES.map((known) => (
          <option key={known} value={known}>
            {translate(HOLD_LABELS[known])}
          </option>
        ))}
      </NativeSelect>
      {choice === "date" && (
        <DateField
          label={t`Day`}
          value={date}
          disabled={!canChange}
          onChange={(day) => send({ type: "hold.change", change: { date: day } })}
          description={t`Messages may go out again from 09:00 on that day.`}
        />
      )}
      <Row wraps gap={2}>
        <Button type="submit" size="small" variant="primary" disabled={!canSubmit} isPending={work === "holding"}>
          {t`Hold`}
        </Button>
        {canChange && (
          <Button size="small" variant="ghost" onClick={() => send({ type: "hold.cancel" })}>
            {t`Cancel`}
          </Button>
        )}
      </Row>
    </Stack>
  );
}
