import { useCallback, useMemo } from "react";
import { DryRun } from "../machines/dry-run/dry-run.machine.ts";
import { createReadReceipts } from "../machines/read-receipts/read-receipts.machine.ts";
import {
  SettingsChart,
  createSettings,
  selectAreHoursEdited,
  selectTyped,
} from "../machines/settings/settings.machine.ts";
import { createChoicesGateway } from "../services/choices.ts";
import { DryRunSwitch } from "../views/dry-run/DryRunSwitch.tsx";
import { ReadReceiptsCard } from "../views/read-receipts/ReadReceiptsCard.tsx";
import { AutomationSection } from "../views/settings/AutomationSection.tsx";
import { dryRunOf } from "./dry-run.ts";
import type { Services } from "./services.ts";
import { useUnsavedWork } from "./unsaved-work.ts";
import { forgettingDraft, useDraft } from "./use-draft.ts";

const DRAFT = "settings";

/** What holds for automation and for all conversations. */
export default function AutomationSettings({ services }: { services: Services }) {
  const { settings, receipts } = useMemo(() => logicOf(services), [services]);
  return (
    <DryRun.ActorProvider value={dryRunOf(services)}>
      <SettingsChart.Provider logic={settings}>
        <KeptForm services={services} />
        <AutomationSection
          dryRun={<DryRunSwitch />}
          receipts={<ReadReceiptsCard logic={receipts} />}
          now={services.clock.now}
        />
      </SettingsChart.Provider>
    </DryRun.ActorProvider>
  );
}

/** Keeps the typed words. Days and time zone are not kept, so that they show what is in force; they ask before they are left. */
function KeptForm({ services: { drafts, leaving } }: { services: Services }) {
  const form = SettingsChart.useSelector(selectTyped);
  const optOutWords = SettingsChart.useSelector((chart) => chart.context.saved.optOutWords);
  const send = SettingsChart.useSend();
  useDraft(drafts, {
    name: DRAFT,
    form,
    blank: useMemo(() => ({ optOutWords }), [optOutWords]),
    restore: useCallback(
      (change: Partial<NonNullable<typeof form>>) => send({ type: "settings.change", change }),
      [send],
    ),
  });
  useUnsavedWork(
    leaving,
    SettingsChart.useSelector(selectAreHoursEdited),
    useCallback(() => drafts.forget(DRAFT), [drafts]),
  );
  return null;
}

function logicOf(services: Services) {
  const choices = createChoicesGateway(services.http);
  return {
    settings: createSettings(services, {
      settings: { read: choices.read, save: forgettingDraft(services, DRAFT, choices.save) },
    }),
    receipts: createReadReceipts(services),
  };
}
