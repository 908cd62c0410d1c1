import { useMemo } from "react";
import { useLocationProperty } from "wouter/use-browser-location";
import { DryRunActorProvider } from "../../machines/dry-run/index.ts";
import { createReadReceipts } from "../../machines/read-receipts/index.ts";
import {
  SettingsProvider,
  createSettings,
  selectSaved,
  selectTyped,
  useSettings,
  useSettingsEvents,
} from "../../machines/settings/index.ts";
import { createChoicesGateway } from "../../services/choices.ts";
import { watchReturns } from "../../services/page-returns.ts";
import { DryRunSwitch } from "../../views/dry-run/DryRunSwitch.tsx";
import { ReadReceiptsCard } from "../../views/read-receipts/ReadReceiptsCard.tsx";
import { AutomationSection } from "../../views/settings/AutomationSection.tsx";
import { SettingsView } from "../../views/settings/SettingsView.tsx";
import { createLater } from "../later.tsx";
import { dryRunOf } from "../dry-run.ts";
import type { Services } from "../services.ts";
import { forgettingDraft, useDraft } from "../use-draft.ts";

const DRAFT = "settings";

const CrmSettings = createLater<{ services: Services }>("tags and fields", () => import("../crm-settings.tsx"));
const KeySettings = createLater<{ services: Services }>("the keys", () => import("../key-settings.tsx"));
const WebhookSettings = createLater<{ services: Services; opened: string | null }>(
  "the webhooks",
  () => import("../webhook-settings.tsx"),
);

export default function SettingsRoute({ services }: { services: Services }) {
  const { settings, receipts } = useMemo(() => logicOf(services), [services]);
  const [asked = "", opened] = useLocationProperty(() => window.location.hash)
    .slice(1)
    .split("/");
  const sections = [
    {
      id: "automation",
      name: "Automation",
      intro: "When automation may write for you, and to whom it never does.",
      content: (
        <AutomationSection
          dryRun={<DryRunSwitch />}
          receipts={<ReadReceiptsCard logic={receipts} />}
          now={services.clock.now}
        />
      ),
    },
    {
      id: "people",
      name: "People",
      intro: "What you note of your leads, and who is none.",
      content: <CrmSettings services={services} />,
    },
    {
      id: "keys",
      name: "API keys",
      intro: "By a key a program or an assistant works with your account, as far as you let it.",
      content: <KeySettings services={services} />,
    },
    {
      id: "webhooks",
      name: "Webhooks",
      intro: "Addresses that are told of what happens, within seconds.",
      content: <WebhookSettings services={services} opened={opened === undefined ? null : decoded(opened)} />,
    },
  ];
  return (
    <DryRunActorProvider value={dryRunOf(services)}>
      <SettingsProvider logic={settings}>
        <KeptForm services={services} />
        <SettingsView sections={sections} selected={sections.some(({ id }) => id === asked) ? asked : "automation"} />
      </SettingsProvider>
    </DryRunActorProvider>
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function KeptForm({ services: { drafts } }: { services: Services }) {
  const form = useSettings(selectTyped);
  const saved = useSettings(selectSaved);
  const { change } = useSettingsEvents();
  useDraft(drafts, { name: DRAFT, form, blank: saved, restore: change });
  return null;
}

function logicOf(services: Services) {
  const { http, notifier, logger } = services;
  const choices = createChoicesGateway(http);
  return {
    settings: createSettings({
      settings: { read: choices.read, save: forgettingDraft(services, DRAFT, choices.save) },
      onReturn: watchReturns,
      notifier,
      logger,
    }),
    receipts: createReadReceipts({ receipts: choices, notifier, logger }),
  };
}
