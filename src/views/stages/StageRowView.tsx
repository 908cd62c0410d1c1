import { t } from "@lingui/core/macro";
import { translate } from "#language";
import { msg } from "@lingui/core/runtime-macro";
import { ArrowDown, ArrowUp, Trash2 } from "lucide-react";
import { type MouseEvent, useEffect, useRef } from "react";
import { flushSync } from "react-dom";
import { namesText } from "../../language/format.ts";
import { keywordWarnings } from "../../../domain/keyword.ts";
import { NAME_MAX_CHARS } from "../../../domain/limits.ts";
import { quoted } from "../../../domain/lists.ts";
import { Stages, selectDeletingId } from "../../machines/stages/stages.machine.ts";
import { type StageRow, isNameShared, savedOrder, savedValues } from "../../machines/stages/stages.rows.ts";
import { ColorInput } from "../../ui/ColorInput.tsx";
import { Conflict } from "../../ui/Conflict.tsx";
import { IconButton } from "../../ui/Button.tsx";
import { Mark } from "../../ui/Mark.tsx";
import { TextField } from "../../ui/Field.tsx";
import { Row } from "../../ui/layout.tsx";
import { tableRow } from "../../ui/Table.tsx";
import { classNames } from "../../ui/class-names.ts";
import css from "./StagesTable.module.css";

export function StageRowView({ row, index }: { row: StageRow; index: number }) {
  const isEditable = Stages.useCan({ type: "row.change", key: row.key, change: {} });
  const isDeleting = Stages.useSelector(selectDeletingId) === row.id && row.id !== null;
  const problem = Stages.useSelector(({ context }) => context.problem);
  const undeleted = Stages.useSelector(({ context }) => context.undeleted);
  const isFocused = Stages.useSelector(({ context }) => context.focusedKey) === row.key;
  const send = Stages.useSend();
  const name = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isFocused) name.current?.focus();
  }, [isFocused]);

  const isNameTaken = Stages.useSelector(({ context }) => isNameShared(context.rows, row));
  const faultOf = (field: "name" | "keywords", ours: string) =>
    problem?.key === row.key && problem.field === field ? (problem.fieldMessage ?? ours) : undefined;

  return (
    <>
      <tr className={classNames(tableRow, css["row"])} aria-busy={isDeleting || undefined}>
        <td className={css["order"]}>{index + 1}</td>
        <td>
          <TextField
            ref={name}
            label={t`Name`}
            isLabelHidden
            dir="auto"
            maxLength={NAME_MAX_CHARS}
            value={row.name}
            readOnly={!isEditable}
            errorMessage={
              faultOf("name", t`Give this stage a name.`) ??
              (isNameTaken ? t`Another stage has that name already. Choose a different one.` : undefined)
            }
            onChange={(event) => send({ type: "row.change", key: row.key, change: { name: event.target.value } })}
          />
        </td>
        <td className={css["keywords"]}>
          <TextField
            label={t`Keywords`}
            isLabelHidden
            dir="auto"
            placeholder={t`price, "high intent"`}
            value={row.keywords}
            readOnly={!isEditable}
            description={
              keywordWarnings(row.saved?.keywords ?? [])
                .map((text) => translate(text))
                .join(" ") || undefined
            }
            errorMessage={faultOf("keywords", t`Look at these keywords.`)}
            onChange={(event) => send({ type: "row.change", key: row.key, change: { keywords: event.target.value } })}
          />
        </td>
        <td className={css["color"]}>
          <ColorInput
            label={t`Color`}
            isLabelHidden
            value={row.color}
            disabled={!isEditable}
            onChange={(event) => send({ type: "row.change", key: row.key, change: { color: event.target.value } })}
          />
        </td>
        <td className={css["acts"]}>
          <RowActions row={row} />
          {undeleted !== null && undeleted.id === row.id && <Mark>{undeleted.message}</Mark>}
        </td>
      </tr>
      {row.conflict !== undefined && <ConflictRow row={row} />}
    </>
  );
}

function ConflictRow({ row }: { row: StageRow }) {
  const send = Stages.useSend();
  const canChoose = Stages.useCan({ type: "row.choose", key: row.key, version: "mine" });
  const rows = Stages.useSelector(({ context }) => context.rows);
  const saved = savedValues(row);
  return (
    <tr className={css["conflict"]}>
      <td colSpan={5}>
        <Conflict
          {...(saved === null && { savedLabel: t`Remove` })}
          isDisabled={!canChoose}
          onKeepMine={() => send({ type: "row.choose", key: row.key, version: "mine" })}
          onUseSaved={() => send({ type: "row.choose", key: row.key, version: "saved" })}
        >
          {row.conflict === "moved"
            ? translate(
                msg`The stages were reordered elsewhere. The saved order is ${{ order: quoted(savedOrder(rows)) }}.`,
              )
            : saved === null
              ? t`This stage was deleted elsewhere. Keep mine adds it again when you save.`
              : t`This stage was changed elsewhere. The saved version has ${{ values: namesText(saved.map((value) => translate(value))) }}.`}
        </Conflict>
      </td>
    </tr>
  );
}

function RowActions({ row }: { row: StageRow }) {
  const canMoveUp = Stages.useCan({ type: "row.move", key: row.key, step: -1 });
  const canMoveDown = Stages.useCan({ type: "row.move", key: row.key, step: 1 });
  const canDelete = Stages.useCan({ type: "row.delete", id: row.id ?? "" });
  const send = Stages.useSend();
  // A moved row loses the focus; the pressed button gets it back, or its counterpart at either end.
  const press = (move: (key: string) => void) => (event: MouseEvent<HTMLButtonElement>) => {
    const button = event.currentTarget;
    flushSync(() => move(row.key));
    const pair = button.parentElement?.querySelector<HTMLButtonElement>("button:not(:disabled)");
    (button.disabled ? pair : button)?.focus();
  };
  const { id } = row;
  return (
    <Row gap={1} className={css["actions"]}>
      <IconButton
        label={t`Move Up`}
        icon={<ArrowUp />}
        disabled={!canMoveUp}
        onClick={press((key) => send({ type: "row.move", key, step: -1 }))}
      />
      <IconButton
        label={t`Move Down`}
        icon={<ArrowDown />}
        disabled={!canMoveDown}
        onClick={press((key) => send({ type: "row.move", key, step: 1 }))}
      />
      {id !== null && (
        <IconButton
          label={t`Delete Stage`}
          icon={<Trash2 />}
          className={css["delete"]}
          disabled={!canDelete}
          onClick={() => send({ type: "row.delete", id })}
        />
      )}
    </Row>
  );
}
