import { t } from "@lingui/core/macro";
import { useLayoutEffect } from "react";
import { translate } from "#language";
import { NOTES_MAX_CHARS } from "../../../domain/limits.ts";
import type { RowState, SendToRow } from "../../machines/lead-row/lead-row.machine.ts";
import { Button } from "../../ui/Button.tsx";
import { classNames } from "../../ui/class-names.ts";
import { Row } from "../../ui/layout.tsx";
import css from "./NotesCell.module.css";

type NotesCellProps = { row: RowState; isTouched: boolean; send: SendToRow; isRoomy?: boolean };

/** Saves notes when the field loses the focus; unsaved notes stay and say so. */
export function NotesCell({
  row: { notes, notesState: state, notesProblem },
  isTouched,
  send,
  isRoomy = false,
}: NotesCellProps) {
  return (
    <>
      <textarea
        className={classNames(css["notes"], isRoomy && css["roomy"])}
        aria-label={t`Notes`}
        placeholder={t`Add a note`}
        rows={isRoomy ? 4 : 1}
        maxLength={NOTES_MAX_CHARS}
        dir="auto"
        value={notes}
        data-state={state}
        onFocus={() => send()}
        onChange={(event) => send({ type: "notes.change", notes: event.target.value })}
        onBlur={() => send({ type: "notes.leave" })}
      />
      {isTouched && <LeaveOnUnmount send={send} />}
      {state === "unsaved" && (
        <Row as="p" wraps size="xs" tone="bad">
          <span role="alert">{translate(notesProblem)}</span>
          <Button variant="ghost" size="small" onClick={() => send({ type: "notes.retry" })}>
            {t`Try again`}
          </Button>
        </Row>
      )}
    </>
  );
}

/** A field that is removed while focused gets no blur event, so this saves its text before the row's actor stops. */
function LeaveOnUnmount({ send }: { send: SendToRow }) {
  useLayoutEffect(() => () => send({ type: "notes.leave" }), [send]);
  return null;
}
