import { useLayoutEffect } from "react";
import { NOTES_MAX_CHARS } from "../../../domain/limits.ts";
import { selectNotes, selectNotesState, useLeadRow, useLeadRowEvents } from "../../machines/lead-row/index.ts";
import { Button } from "../../ui/Button.tsx";
import css from "./NotesCell.module.css";

/** Notes save when the field is left; a note that could not be saved stays and says so. */
export function NotesCell() {
  const notes = useLeadRow(selectNotes);
  const state = useLeadRow(selectNotesState);
  const { changeNotes, leaveNotes, retryNotes } = useLeadRowEvents();
  // A field that is removed under the cursor gets no blur; what was typed is saved before the row's actor stops.
  useLayoutEffect(() => leaveNotes, [leaveNotes]);
  return (
    <>
      <textarea
        className={css["notes"]}
        aria-label="Notes"
        placeholder="Add a note"
        rows={1}
        maxLength={NOTES_MAX_CHARS}
        dir="auto"
        value={notes}
        data-state={state}
        onChange={(event) => changeNotes(event.target.value)}
        onBlur={leaveNotes}
      />
      {state === "unsaved" && (
        <p className={css["unsaved"]} role="alert">
          Not saved.
          <Button variant="ghost" size="small" onClick={retryNotes}>
            Try again
          </Button>
        </p>
      )}
    </>
  );
}
