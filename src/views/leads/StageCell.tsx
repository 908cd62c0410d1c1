import { t } from "@lingui/core/macro";
import { type KeyboardEvent, type Ref, useEffect, useRef } from "react";
import { translate } from "#language";
import type { Stage } from "../../../domain/stage.ts";
import type { RowState, SendToRow } from "../../machines/lead-row/lead-row.machine.ts";
import { ColorDot as colorDot } from "../../ui/Badge.tsx";
import { IconButton as iconButton } from "../../ui/Button.tsx";
import { opensByArrow, Options } from "../../ui/Field.tsx";
import { Note, Text } from "../../ui/layout.tsx";
import css from "./StageCell.module.css";

type StageCellProps = { row: RowState; stages: readonly Stage[]; send: SendToRow };

/** The lead's stage, and the dropdown that changes it. */
export function StageCell({ row, stages, send }: StageCellProps) {
  const isShown = row.stageState === "shown";
  const pencil = useRef<HTMLButtonElement>(null);
  const wasShown = useRef(true);
  useEffect(() => {
    // The dropdown had the focus and was removed: return it to the pencil.
    if (isShown && !wasShown.current && document.activeElement === document.body) pencil.current?.focus();
    wasShown.current = isShown;
  }, [isShown]);
  if (!isShown) return <StageSelect row={row} stages={stages} send={send} />;
  return <RestingStage row={row} stages={stages} send={send} pencil={pencil} />;
}

/** Must not use hooks: a row calls it as a function, and only until the user touches the row. */
export function RestingStage({ row, stages, send, pencil }: StageCellProps & { pencil?: Ref<HTMLButtonElement> }) {
  const stage = stages.find((candidate) => candidate.id === row.lead.stage_id);
  return (
    <div className={css["stage"]}>
      {colorDot({ color: stage?.color })}
      <span className={css["name"]} dir="auto" title={stage?.name ?? undefined}>
        {stage?.name || "-"}
      </span>
      {iconButton({
        ref: pencil,
        label: t`Edit stage`,
        icon: null,
        className: css["pencil"],
        "data-shortcut": "stage",
        onClick: () => send({ type: "stage.edit" }),
      })}
    </div>
  );
}

/** A click, a tap or Enter chooses; keys only move through stages until Enter, and Escape cancels. */
function StageSelect({ row, stages, send }: StageCellProps) {
  const select = useRef<HTMLSelectElement>(null);
  const isPassing = useRef(false);
  const isEntered = useRef(false);
  const isListOpen = useRef(false);
  useEffect(() => select.current?.focus(), []);
  const isBusy = row.stageState !== "choosing";
  const isKnown = stages.some((stage) => stage.id === row.pickedStageId);
  const onKeyDown = (event: KeyboardEvent) => {
    const opens = event.key === " " || event.altKey || (event.key.startsWith("Arrow") && opensByArrow());
    isEntered.current = event.key === "Enter";
    isListOpen.current = opens || (isListOpen.current && event.key !== "Escape");
    isPassing.current = !opens && !isEntered.current;
    if (event.key === "Escape") send({ type: "stage.cancel" });
    if (!isEntered.current) return;
    const isMoved = row.pickedStageId !== row.lead.stage_id;
    // Some browsers would open the closed list instead; in an open list Enter chooses.
    if (isMoved || !isListOpen.current) event.preventDefault();
    if (isMoved) send({ type: "stage.commit" });
  };
  const onKeyUp = (event: KeyboardEvent) => {
    // Ignore the Enter that opened the dropdown.
    if (event.key !== "Enter" || !isEntered.current) return;
    isListOpen.current = false;
    send({ type: "stage.commit" });
  };
  return (
    <>
      <select
        ref={select}
        className={css["select"]}
        aria-label={t`Stage`}
        aria-busy={isBusy || undefined}
        aria-disabled={isBusy || undefined}
        title={t`Enter moves the lead, Escape cancels`}
        value={isKnown ? (row.pickedStageId ?? "") : ""}
        onChange={(event) => {
          send({ type: isPassing.current ? "stage.pick" : "stage.choose", stageId: event.target.value });
        }}
        onPointerDown={() => {
          isPassing.current = false;
          isListOpen.current = true;
        }}
        // A refusal keeps the dropdown and its message until the user acts on them.
        onBlur={() => row.stageProblem === null && send({ type: "stage.cancel" })}
        onKeyDown={onKeyDown}
        onKeyUp={onKeyUp}
      >
        {!isKnown && (
          <option value="" disabled>
            {t`Choose`}
          </option>
        )}
        <Options items={stages} />
      </select>
      {row.stageProblem !== null && (
        <Text size="xs" tone="bad" role="status">
          {translate(row.stageProblem)}
        </Text>
      )}
      {!isBusy && row.pickedStageId !== row.lead.stage_id && <Note size="xs">{t`Enter to move`}</Note>}
    </>
  );
}
