import { ArrowDown, ArrowUp, Trash2 } from "lucide-react";
import { type MouseEvent, useEffect, useRef } from "react";
import { flushSync } from "react-dom";
import { keywordWarnings } from "../../../domain/keyword.ts";
import { NAME_MAX_CHARS } from "../../../domain/limits.ts";
import {
  type StageRow,
  isNameShared,
  selectDeletingId,
  selectFocusedKey,
  selectProblem,
  savedOrder,
  savedWords,
  selectRows,
  selectUndeleted,
  useCanStages,
  useStages,
  useStagesEvents,
} from "../../machines/stages/index.ts";
import { ColorInput } from "../../ui/ColorInput.tsx";
import { Conflict } from "../../ui/Conflict.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { Mark } from "../../ui/Mark.tsx";
import { TextField } from "../../ui/TextField.tsx";
import { Row } from "../../ui/layout.tsx";
import css from "./StagesTable.module.css";

type StageRowViewProps = { row: StageRow; index: number };

export function StageRowView({ row, index }: StageRowViewProps) {
  const isEditable = useCanStages({ type: "row.change", key: row.key, change: {} });
  const isDeleting = useStages(selectDeletingId) === row.id && row.id !== null;
  const problem = useStages(selectProblem);
  const undeleted = useStages(selectUndeleted);
  const isFocused = useStages(selectFocusedKey) === row.key;
  const { changeRow } = useStagesEvents();
  const name = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isFocused) name.current?.focus();
  }, [isFocused]);

  const isNameTaken = useStages((chart) => isNameShared(selectRows(chart), row));
  const faultOf = (field: "name" | "keywords", ours: string) =>
    problem?.key === row.key && problem.field === field ? (problem.words ?? ours) : undefined;

  return (
    <>
      <tr className={css["row"]} aria-busy={isDeleting || undefined}>
        <td className={css["order"]}>{index + 1}</td>
        <td className={css["cell"]} data-label="Name">
          <TextField
            ref={name}
            label="Name"
            isLabelHidden
            dir="auto"
            maxLength={NAME_MAX_CHARS}
            value={row.name}
            readOnly={!isEditable}
            errorMessage={
              faultOf("name", "Give this stage a name.") ??
              (isNameTaken ? "Another stage has that name already. Choose a different one." : undefined)
            }
            onChange={(event) => changeRow(row.key, { name: event.target.value })}
          />
        </td>
        <td className={css["cell"]} data-label="Keywords">
          <TextField
            label="Keywords"
            isLabelHidden
            dir="auto"
            placeholder='price, "high intent"'
            value={row.keywords}
            readOnly={!isEditable}
            description={keywordWarnings(row.saved?.keywords ?? []).join(" ") || undefined}
            errorMessage={faultOf("keywords", "Look at these keywords.")}
            onChange={(event) => changeRow(row.key, { keywords: event.target.value })}
          />
        </td>
        <td className={css["cell"]} data-label="Color">
          <ColorInput
            label="Color"
            isLabelHidden
            value={row.color}
            disabled={!isEditable}
            onChange={(event) => changeRow(row.key, { color: event.target.value })}
          />
        </td>
        <td className={css["cell"]} data-label="Actions">
          <RowActions row={row} />
          {undeleted !== null && undeleted.id === row.id && <Mark>{undeleted.words}</Mark>}
        </td>
      </tr>
      {row.conflict !== undefined && <ConflictRow row={row} />}
    </>
  );
}

function ConflictRow({ row }: { row: StageRow }) {
  const { chooseVersion } = useStagesEvents();
  const canChoose = useCanStages({ type: "row.choose", key: row.key, version: "mine" });
  const order = useStages((chart) => savedOrder(selectRows(chart)));
  const saved = savedWords(row);
  return (
    <tr className={css["conflict"]}>
      <td colSpan={5}>
        <Conflict
          {...(saved === null && { savedLabel: "Remove" })}
          isDisabled={!canChoose}
          onKeepMine={() => chooseVersion(row.key, "mine")}
          onUseSaved={() => chooseVersion(row.key, "saved")}
        >
          {row.conflict === "moved"
            ? `The stages were reordered elsewhere. The saved order is ${order}.`
            : saved === null
              ? "This stage was deleted elsewhere. Keep mine adds it again when you save."
              : `This stage was changed elsewhere. The saved version has ${saved}.`}
        </Conflict>
      </td>
    </tr>
  );
}

function RowActions({ row }: { row: StageRow }) {
  const canMoveUp = useCanStages({ type: "row.move", key: row.key, step: -1 });
  const canMoveDown = useCanStages({ type: "row.move", key: row.key, step: 1 });
  const canDelete = useCanStages({ type: "row.delete", id: row.id ?? "" });
  const { moveRowUp, moveRowDown, deleteStage } = useStagesEvents();
  // A moved row loses its focus to the page; the button pressed takes it back, or its pair at either end.
  const press = (move: (key: string) => void) => (event: MouseEvent<HTMLButtonElement>) => {
    const button = event.currentTarget;
    flushSync(() => move(row.key));
    const pair = button.parentElement?.querySelector<HTMLButtonElement>("button:not(:disabled)");
    (button.disabled ? pair : button)?.focus();
  };
  const { id } = row;
  return (
    <Row gap={1} className={css["actions"]}>
      <IconButton label="Move Up" icon={<ArrowUp />} disabled={!canMoveUp} onClick={press(moveRowUp)} />
      <IconButton label="Move Down" icon={<ArrowDown />} disabled={!canMoveDown} onClick={press(moveRowDown)} />
      {id !== null && (
        <IconButton
          label="Delete Stage"
          icon={<Trash2 />}
          className={css["delete"]}
          disabled={!canDelete}
          onClick={() => deleteStage(id)}
        />
      )}
    </Row>
  );
}
