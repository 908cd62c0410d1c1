import { Pencil } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef } from "react";
import type { Stage } from "../../../domain/stage.ts";
import {
  selectChosenStageId,
  selectStageId,
  selectStageState,
  useLeadRow,
  useLeadRowEvents,
} from "../../machines/lead-row/index.ts";
import { IconButton } from "../../ui/IconButton.tsx";
import { ColorDot } from "../../ui/ColorDot.tsx";
import css from "./StageCell.module.css";

/** The lead's stage, and the dropdown that moves the lead to another. */
export function StageCell({ stages }: { stages: readonly Stage[] }) {
  const state = useLeadRow(selectStageState);
  const isShown = state === "shown";
  const pencil = useRef<HTMLButtonElement>(null);
  const wasShown = useRef(true);
  useEffect(() => {
    // The dropdown had the focus and is gone: the pencil that opened it takes it back.
    if (isShown && !wasShown.current && document.activeElement === document.body) pencil.current?.focus();
    wasShown.current = isShown;
  }, [isShown]);
  const { editStage } = useLeadRowEvents();
  const stageId = useLeadRow(selectStageId);
  const stage = stages.find((candidate) => candidate.id === stageId);

  if (!isShown) return <StageSelect stages={stages} isBusy={state !== "choosing"} />;
  return (
    <div className={css["stage"]}>
      <ColorDot color={stage?.color} />
      <span className={css["name"]} dir="auto" title={stage?.name ?? undefined}>
        {stage?.name || "-"}
      </span>
      <IconButton ref={pencil} label="Edit stage" icon={<Pencil />} className={css["pencil"]} onClick={editStage} />
    </div>
  );
}

function StageSelect({ stages, isBusy }: { stages: readonly Stage[]; isBusy: boolean }) {
  const chosen = useLeadRow(selectChosenStageId);
  const { chooseStage, cancelStage } = useLeadRowEvents();
  const select = useRef<HTMLSelectElement>(null);
  useEffect(() => select.current?.focus(), []);
  const isKnown = stages.some((stage) => stage.id === chosen);
  const cancelByKey = (event: KeyboardEvent) => {
    if (event.key === "Escape") cancelStage();
  };
  return (
    <select
      ref={select}
      className={css["select"]}
      aria-label="Stage"
      aria-busy={isBusy}
      value={isKnown ? (chosen ?? "") : ""}
      onChange={(event) => chooseStage(event.target.value)}
      onBlur={cancelStage}
      onKeyDown={cancelByKey}
    >
      {!isKnown && (
        <option value="" disabled>
          Choose
        </option>
      )}
      {stages.map((stage) => (
        <option key={stage.id} value={stage.id}>
          {stage.name}
        </option>
      ))}
    </select>
  );
}
