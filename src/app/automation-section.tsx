import { useMemo } from "react";
import * as v from "valibot";
import { DryRun } from "../machines/dry-run/dry-run.machine.ts";
import { ReadReceipts, createReadReceipts } from "../machines/read-receipts/read-receipts.machine.ts";
import {
  SettingsChart,
  createSettings,
  selectAreHoursEdited,
  selectTyped,
} from "../machines/settings/settings.machine.ts";
import { createSettingsGateway } from "../services/settings.ts";
import type { Drafts } from "../services/drafts.ts";
import { Stack } from "../ui/layout.tsx";
import { DryRunCard } from "../views/dry-run/DryRunSwitch.tsx";
import { ReadReceiptsCard } from "../views/read-receipts/ReadReceiptsCard.tsx";
import { HoursAndPeopleCard } from "../views/settings/HoursAndPeopleCard.tsx";
import { Cards } from "../views/settings/Cards.tsx";
import { afterSuccess } from "./after-success.ts";
import { dryRunOf } from "./dry-run.ts";
import type { Services } from "./services.ts";
import { useUnsavedWork } from "./unsaved-work.ts";
import { useDraft } from "./use-draft.ts";

const draftIn = (drafts: Drafts) => drafts.of("settings", { optOutWords: v.string() });

export default function AutomationSettings({ services }: { services: Services }) {
  const settings = useMemo(() => logicOf(services), [services]);
  const receipts = useMemo(() => createReadReceipts(services), [services]);
  return (
    <DryRun.ActorProvider value={dryRunOf(services)}>
      <SettingsChart.Provider logic={settings}>
        <FormDraft services={services} />
        <Cards layout="main">
          <HoursAndPeopleCard now={services.clock.now} />
          <Stack gap={4}>
            <DryRunCard />
            <ReadReceipts.Provider logic={receipts}>
              <ReadReceiptsCard />
            </ReadReceipts.Provider>
          </Stack>
        </Cards>
      </SettingsChart.Provider>
    </DryRun.ActorProvider>
  );
}

/** Keeps unsaved opt-out words across reloads. Days and time zone are not kept; leaving them unsaved asks for confirmation. */
function FormDraft({ services: { drafts, leaving } }: { services: Services }) {
  const draft = draftIn(drafts);
  const form = SettingsChart.useSelector(selectTyped);
  const optOutWords = SettingsChart.useSelector((chart) => chart.context.saved.optOutWords);
  const send = SettingsChart.useSend();
  useDraft(draft, {
    form,
    server: { optOutWords },
    restore: (change) => send({ type: "settings.change", change }),
  });
  useUnsavedWork(leaving, SettingsChart.useSelector(selectAreHoursEdited), { onDiscarded: draft.forget });
  return null;
}

function logicOf(services: Services) {
  const gateway = createSettingsGateway(services.http);
  return createSettings(services, {
    settings: { read: gateway.read, save: afterSuccess(gateway.save, draftIn(services.drafts).forget) },
  });
}
