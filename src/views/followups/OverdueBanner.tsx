import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Fragment } from "react";
import { translate } from "#language";
import { nameSeparator } from "../../language/format.ts";
import { Overdue } from "../../machines/overdue-followups/overdue-followups.machine.ts";
import { namesOf, waitingMessage } from "../../machines/overdue-followups/overdue-followups.texts.ts";
import { Banner } from "../../ui/Banner.tsx";
import { Button } from "../../ui/Button.tsx";
import { passFocusOnRemoval } from "../../ui/lost-focus.ts";
import { ReadProblems } from "../shell/ReadProblems.tsx";
import { Stack } from "../../ui/layout.tsx";

/** Shows the follow-ups waiting for approval, or that they failed to load; nothing if there are none. */
export function OverdueBanner() {
  const [chart, send] = Overdue.use();
  const { overdue, problem } = chart.context;
  const { total } = overdue;
  if (total === 0 && !chart.hasTag("loadFailed") && !chart.hasTag("outdated")) return null;
  return (
    <Stack gap={3} after={5}>
      <ReadProblems chart={chart} send={send} />
      {problem !== null && <Banner tone="bad">{problem}</Banner>}
      {total > 0 && <Waiting />}
    </Stack>
  );
}

function Waiting() {
  const [chart, send] = Overdue.use();
  const { total, leads } = chart.context.overdue;
  const { named, more } = namesOf(
    leads.map((lead) => lead.name),
    total,
  );
  return (
    <Banner
      actions={
        <Button
          ref={passFocusOnRemoval}
          onClick={() => send({ type: "overdue.send" })}
          isPending={chart.matches({ word: "planning" })}
          isAriaDisabled={!chart.can({ type: "overdue.send" })}
        >
          {t`Send overdue follow-ups`}
        </Button>
      }
    >
      {translate(waitingMessage(total))}
      {named.length > 0 && (
        <>
          {" "}
          {more > 0 ? (
            <Trans>
              To <Names names={named} /> and {more} more.
            </Trans>
          ) : (
            <Trans>
              To <Names names={named} />.
            </Trans>
          )}
        </>
      )}
    </Banner>
  );
}

function Names({ names }: { names: readonly string[] }) {
  return names.map((name, index) => (
    <Fragment key={index}>
      {index > 0 && nameSeparator()}
      <bdi>{name}</bdi>
    </Fragment>
  ));
}
