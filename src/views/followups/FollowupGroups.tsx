import { msg, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { MessagesSquare } from "lucide-react";
import { useId } from "react";
import { namesText } from "../../language/format.ts";
import { type FollowupGroup, groupsOf, stagesWithoutFollowups } from "../../machines/followups/followups.rows.ts";
import { Followups, selectGroupState } from "../../machines/followups/followups.machine.ts";
import { Button } from "../../ui/Button.tsx";
import { Card, Box, Note, Row, Stack } from "../../ui/layout.tsx";
import { ColorDot } from "../../ui/Badge.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { Mark } from "../../ui/Mark.tsx";
import { useFocusKeeper } from "../../ui/focus.ts";
import { FollowupItem } from "./FollowupItem.tsx";
import css from "./FollowupGroups.module.css";
import { StepFiguresMark } from "./StepResults.tsx";

const MESSAGES = { edited: msg`Unsaved changes`, saved: msg`Changes saved.`, saving: null, resting: null };

export function FollowupGroups() {
  const rows = Followups.useSelector((chart) => chart.context.rows);
  const stages = Followups.useSelector((chart) => chart.context.stages);
  const groups = groupsOf(rows, stages);
  const keepFocus = useFocusKeeper("li");
  const silent = stagesWithoutFollowups(rows, stages);
  if (groups.length === 0) {
    return (
      <EmptyState icon={<MessagesSquare />} title={t`No follow-ups yet`}>
        {t`Write the first one: choose a stage, a delay and a message.`}
      </EmptyState>
    );
  }
  return (
    <Stack gap={4} ref={keepFocus}>
      <StepFiguresMark />
      {groups.map((group) => (
        <GroupCard key={group.stageId ?? "unassigned"} group={group} />
      ))}
      {silent.length > 0 && (
        <Note>
          <Trans>
            Nothing follows up yet in: <bdi>{namesText(silent)}</bdi>.
          </Trans>
        </Note>
      )}
    </Stack>
  );
}

function GroupCard({ group }: { group: FollowupGroup }) {
  const { stageId } = group;
  const state = Followups.useSelector(selectGroupState(stageId));
  const save = { type: "group.save", stageId } as const;
  const canSave = Followups.useCan(save);
  const refusal = Followups.useSelector((chart) => chart.context.refusal);
  const message = MESSAGES[state];
  const send = Followups.useSend();
  const headingId = useId();
  return (
    <Card aria-labelledby={headingId} className={css["group"]}>
      <Row as="header" gap={3} className={css["head"]}>
        <ColorDot color={group.color} />
        <Box as="h2" share="less" id={headingId} dir="auto">
          {group.name}
        </Box>
        <Note as="span" tone={state === "saved" ? "good" : "muted"} className={css["state"]} role="status">
          {message !== null && t(message)}
        </Note>
        <Button size="small" isPending={state === "saving"} isAriaDisabled={!canSave} onClick={() => send(save)}>
          {t`Save Changes`}
        </Button>
      </Row>
      {refusal !== null && refusal.group === stageId && (
        <Box pad={[3, 4]}>
          <Mark retryLabel={t`Try again: save`} onRetry={canSave ? () => send(save) : undefined}>
            {refusal.message}
          </Mark>
        </Box>
      )}
      <ol>
        {group.rows.map((row, index) => (
          <FollowupItem key={row.id} row={row} position={index + 1} stage={group.name} />
        ))}
      </ol>
    </Card>
  );
}
