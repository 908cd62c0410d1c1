import { useId } from "react";
import {
  HOLD_CHOICES,
  HOLD_WORDS,
  isHoldChoice,
  selectHold,
  selectProblem,
  selectWork,
  useAutomationHold,
  useAutomationHoldEvents,
  useCanAutomationHold,
} from "../../machines/automation-hold/index.ts";
import { Button } from "../../ui/Button.tsx";
import { handFocusOn } from "../../ui/focus.ts";
import { FormProblem } from "../../ui/FormProblem.tsx";
import { NativeSelect } from "../../ui/NativeSelect.tsx";
import { TextField } from "../../ui/TextField.tsx";
import css from "./HoldControls.module.css";

/** Holds, resumes and skips a lead's automation, each where its state allows it; what can be taken back comes first. */
export function HoldButtons() {
  const work = useAutomationHold(selectWork);
  const canSkip = useCanAutomationHold({ type: "step.skip" });
  const canHold = useCanAutomationHold({ type: "hold.choose" });
  const canResume = useCanAutomationHold({ type: "automation.resume" });
  const { skip, chooseHold, resume } = useAutomationHoldEvents();
  return (
    <>
      {canHold && (
        <Button size="small" onClick={chooseHold}>
          Hold
        </Button>
      )}
      {(canResume || work === "resuming") && (
        <Button ref={handFocusOn} size="small" isPending={work === "resuming"} onClick={resume}>
          Resume
        </Button>
      )}
      {(canSkip || work === "skipping") && (
        <Button ref={handFocusOn} size="small" isPending={work === "skipping"} onClick={skip}>
          Skip
        </Button>
      )}
    </>
  );
}

/** Asks until when the automation rests. */
export function HoldForm() {
  const id = useId();
  const work = useAutomationHold(selectWork);
  const { choice, date } = useAutomationHold(selectHold);
  const canChange = useCanAutomationHold({ type: "hold.change", change: {} });
  const canSubmit = useCanAutomationHold({ type: "hold.submit" });
  const { changeHold, cancelHold, submitHold } = useAutomationHoldEvents();
  if (work !== "choosing" && work !== "holding") return null;
  return (
    <form
      ref={handFocusOn}
      className={css["form"]}
      aria-labelledby={id}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submitHold();
      }}
    >
      <h3 id={id} className={css["title"]}>
        Hold automatic messages
      </h3>
      <NativeSelect
        label="Until when"
        value={choice}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- it takes the focus of the button that it stands in for
        autoFocus
        disabled={!canChange}
        onChange={({ target: { value } }) => isHoldChoice(value) && changeHold({ choice: value })}
      >
        {HOLD_CHOICES.map((known) => (
          <option key={known} value={known}>
            {HOLD_WORDS[known]}
          </option>
        ))}
      </NativeSelect>
      {choice === "date" && (
        <TextField
          label="Day"
          type="date"
          value={date}
          disabled={!canChange}
          onChange={({ target: { value } }) => changeHold({ date: value })}
          description="Messages may go out again from 09:00 on that day."
        />
      )}
      <div className={css["actions"]}>
        <Button
          type="submit"
          size="small"
          variant="primary"
          disabled={!canSubmit && work !== "holding"}
          isPending={work === "holding"}
        >
          Hold
        </Button>
        {canChange && (
          <Button size="small" variant="ghost" onClick={cancelHold}>
            Cancel
          </Button>
        )}
      </div>
    </form>
  );
}

/** Why the last change did not come about. */
export function HoldProblem() {
  const problem = useAutomationHold(selectProblem);
  return problem !== null && <FormProblem>{problem}</FormProblem>;
}
