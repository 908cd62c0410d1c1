import { msg } from "@lingui/core/macro";
import { useMemo } from "react";
import * as v from "valibot";
import {
  AutomationSettings,
  createAutomationSettings,
  selectIsSwitchUnsaved,
  selectTyped,
} from "../../machines/automation-settings/automation-settings.machine.ts";
import { NO_EDITS, editsDraft } from "../../machines/followups/followups.draft.ts";
import {
  Followups,
  createFollowups,
  selectDraft,
  selectIsUnsaved,
} from "../../machines/followups/followups.machine.ts";
import { BLANK_FORM } from "../../machines/followups/followups.rows.ts";
import { createUndoing } from "../../machines/kit/undo.ts";
import { Overdue, createOverdueFollowups } from "../../machines/overdue-followups/overdue-followups.machine.ts";
import { useRefreshedReading } from "../../machines/reading/reading.machine.ts";
import { createSettingsGateway } from "../../services/settings.ts";
import type { Drafts } from "../../services/drafts.ts";
import { createFollowupsGateway } from "../../services/followups.ts";
import { createAutomationSettingsGateway } from "../../services/automation-settings.ts";
import type { Schedule } from "../../views/followups/AutomationForm.tsx";
import { FollowupsView } from "../../views/followups/FollowupsView.tsx";
import { type StepResults, StepResultsProvider } from "../../views/followups/StepResults.tsx";
import { OverdueBanner } from "../../views/followups/OverdueBanner.tsx";
import { SampleLeadProvider } from "../../views/preview/PlaceholderPreview.tsx";
import { ownZone } from "../../views/settings/zones.ts";
import { afterSuccess } from "../after-success.ts";
import { memoizeByServices } from "../lifetime.ts";
import { sampleLeadOf } from "../sample-lead.ts";
import type { Services } from "../services.ts";
import { createSignal } from "../../services/signal.ts";
import { useUnsavedWork } from "../unsaved-work.ts";
import { useDraft } from "../use-draft.ts";

export default function FollowupsRoute({ services }: { services: Services }) {
  const { followups, settings, overdue } = logicOf(services);
  return (
    <SampleLeadProvider value={sampleLeadOf(services)}>
      <AutomationSettings.Provider logic={settings}>
        <Followups.Provider logic={followups}>
          <FormDrafts services={services} />
          <StepResultsProvider value={useStepResults(services)}>
            <FollowupsView
              notice={
                <Overdue.Provider logic={overdue}>
                  <OverdueBanner />
                </Overdue.Provider>
              }
              schedule={useSchedule(services)}
            />
          </StepResultsProvider>
        </Followups.Provider>
      </AutomationSettings.Provider>
    </SampleLeadProvider>
  );
}

function useStepResults({ http, logger }: Services): StepResults {
  const { value, status, retry } = useRefreshedReading({
    read: (signal) => createFollowupsGateway(http).results({}, signal),
    what: "what each step did",
    logger,
  });
  return useMemo(
    () => ({
      byId: value == null ? null : new Map(value.map((result) => [result.followup_id, result])),
      hasFailed: status === "loadFailed",
      retry,
    }),
    [value, status, retry],
  );
}

function useSchedule({ http, logger, clock }: Services): Schedule {
  const read = createSettingsGateway(http).readIfKnown;
  const settings = useRefreshedReading({ read, what: "the time zone and days", logger });
  return { settings, ownZone: ownZone(), now: clock.now() };
}

/**
 * Stores drafts. Edited follow-ups and an unsaved switch ask for confirmation before the user leaves. The switch is not stored: after a
 * reload it shows the saved value. Of a chosen file only the name is stored.
 */
function FormDrafts({ services }: { services: Services }) {
  const { drafts, leaving } = services;
  const { media, ...texts } = Followups.useSelector((chart) => chart.context.form);
  const sendToList = Followups.useSend();
  const edits = Followups.useSelector(selectDraft);
  const typed = AutomationSettings.useSelector(selectTyped);
  const { startHour, endHour } = AutomationSettings.useSelector((chart) => chart.context.saved);
  const send = AutomationSettings.useSend();
  useDraft(newStepDraft(drafts), {
    form: { ...texts, lostMedia: media?.name ?? texts.lostMedia },
    server: BLANK_FORM,
    restore: (change) => sendToList({ type: "form.change", change }),
  });
  useDraft(hoursDraft(drafts), {
    form: typed,
    server: { startHour, endHour },
    restore: (change) => send({ type: "settings.change", change }),
  });
  useUnsavedWork(leaving, AutomationSettings.useSelector(selectIsSwitchUnsaved), {
    onDiscarded: hoursDraft(drafts).forget,
  });
  useDraft(editsDraft(drafts), {
    form: edits === null ? null : { edits },
    server: NO_EDITS,
    restore: ({ edits: stored = [] }) => sendToList({ type: "edits.restore", edits: stored }),
  });
  useUnsavedWork(leaving, Followups.useSelector(selectIsUnsaved), { onDiscarded: editsDraft(drafts).forget });
  return null;
}

const hoursDraft = (drafts: Drafts) => drafts.of("automation", { startHour: v.string(), endHour: v.string() });

const newStepDraft = (drafts: Drafts) =>
  drafts.of("followup", {
    stageId: v.string(),
    order: v.string(),
    delay: v.string(),
    message: v.string(),
    lostMedia: v.string(),
  });

/** Notifies listeners when a call that changes the plan has succeeded. */
const planChangesOf = memoizeByServices(() => createSignal());

const undoingOf = memoizeByServices((services) => {
  const restore = afterSuccess(createFollowupsGateway(services.http).restore, planChangesOf(services).notify);
  return createUndoing(services, restore, {
    deleted: msg`Follow-up deleted successfully.`,
    restored: msg`Follow-up restored.`,
    failed: {
      refused: msg`The follow-up could not be restored.`,
      unknown: msg`The follow-up may have been restored.`,
    },
  });
});

/** One per page: a new follow-up may still be saving when the user opens the screen again. */
const logicOf = memoizeByServices((services) => {
  const { http } = services;
  const { notify, listen } = planChangesOf(services);
  const steps = createFollowupsGateway(http);
  const settings = createAutomationSettingsGateway(http);
  return {
    followups: createFollowups(services, {
      followups: {
        ...steps,
        add: afterSuccess(steps.add, newStepDraft(services.drafts).forget, notify),
        change: afterSuccess(steps.change, notify),
        remove: afterSuccess(steps.remove, notify),
      },
      undoing: undoingOf(services),
    }),
    settings: createAutomationSettings(services, {
      settings: { ...settings, save: afterSuccess(settings.save, hoursDraft(services.drafts).forget, notify) },
    }),
    overdue: createOverdueFollowups(services, { onPlanChanged: listen }),
  };
});
