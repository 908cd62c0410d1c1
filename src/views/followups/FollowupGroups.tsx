import { MessagesSquare } from "lucide-react";
import { useId, useMemo } from "react";
import {
  type FollowupGroup,
  groupsOf,
  selectGroupState,
  selectRefusal,
  selectRows,
  selectStages,
  stagesWithoutFollowups,
  useCanFollowups,
  useFollowups,
  useFollowupsEvents,
} from "../../machines/followups/index.ts";
import { Button } from "../../ui/Button.tsx";
import { Card } from "../../ui/Card.tsx";
import { ColorDot } from "../../ui/ColorDot.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { Mark } from "../../ui/Mark.tsx";
import { useFocusKeeper } from "../../ui/focus.ts";
import { FollowupItem } from "./FollowupItem.tsx";
import css from "./FollowupGroups.module.css";
import { StepFiguresMark } from "./StepResults.tsx";

const WORDS = { edited: "Unsaved changes", saved: "Changes saved.", saving: "", resting: "" };

export function FollowupGroups() {
  const rows = useFollowups(selectRows);
  const stages = useFollowups(selectStages);
  const groups = useMemo(() => groupsOf(rows, stages), [rows, stages]);
  const keepFocus = useFocusKeeper("li");
  const silent = stagesWithoutFollowups(rows, stages);
  if (groups.length === 0) {
    return (
      <EmptyState icon={<MessagesSquare />} title="No follow-ups yet">
        Write the first one: choose a stage, a delay and a message.
      </EmptyState>
    );
  }
  return (
    <div ref={keepFocus} className={css["groups"]}>
      <StepFiguresMark />
      {groups.map((group) => (
        <GroupCard key={group.stageId ?? "unassigned"} group={group} />
      ))}
      {silent.length > 0 && (
        <p className={css["silent"]}>
          Nothing follows up yet in: <bdi>{silent.join(", ")}</bdi>.
        </p>
      )}
    </div>
  );
}

function GroupCard({ group }: { group: FollowupGroup }) {
  const { stageId } = group;
  const state = useFollowups(useMemo(() => selectGroupState(stageId), [stageId]));
  const canSave = useCanFollowups({ type: "group.save", stageId });
  const refusal = useFollowups(selectRefusal);
  const { saveGroup } = useFollowupsEvents();
  const headingId = useId();
  return (
    <Card aria-labelledby={headingId} className={css["group"]}>
      <header className={css["head"]}>
        <ColorDot color={group.color} />
        <h2 id={headingId} className={css["heading"]} dir="auto">
          {group.name}
        </h2>
        <span className={css["state"]} data-state={state} role="status">
          {WORDS[state]}
        </span>
        <Button
          size="small"
          isPending={state === "saving"}
          disabled={!canSave && state !== "saving"}
          onClick={() => saveGroup(stageId)}
        >
          Save Changes
        </Button>
      </header>
      {refusal !== null && refusal.group === stageId && (
        <Mark retryLabel="Try again: save" onRetry={canSave ? () => saveGroup(stageId) : undefined}>
          {refusal.words}
        </Mark>
      )}
      <ol className={css["list"]}>
        {group.rows.map((row, index) => (
          <FollowupItem key={row.id} row={row} position={index + 1} stage={group.name} />
        ))}
      </ol>
    </Card>
  );
}
