import { t } from "@lingui/core/macro";
import { msg } from "@lingui/core/runtime-macro";
import { useLocationProperty } from "wouter/use-browser-location";
import { type SettingsSection, SettingsView } from "../../views/settings/SettingsView.tsx";
import { createPart } from "../loading/loadable.tsx";
import type { Services } from "../services.ts";

const loadAutomation = () => import("../automation-section.tsx");
const AutomationSettings = createPart(msg`the settings`, loadAutomation);
const LanguageSettings = createPart(msg`the language`, () => import("../language-section.tsx"));
const CrmSettings = createPart(msg`tags and fields`, () => import("../crm-settings.tsx"));
const KeySettings = createPart(msg`the keys`, () => import("../key-settings.tsx"));
const WebhookSettings = createPart(msg`the webhooks`, () => import("../webhook-settings.tsx"));

/** Parses the section and the item from an address: `#webhooks/1` is webhook 1. */
const placeOf = (hash: string): { section: string; opened: string | null } => {
  const [section = "", opened = null] = hash.slice(1).split("/");
  return { section, opened };
};

// Most users open this section, so its code loads in parallel with the screen's.
if (placeOf(window.location.hash).section === "") loadAutomation().catch(() => {});

export default function SettingsRoute({ services }: { services: Services }) {
  const { section, opened } = placeOf(useLocationProperty(() => window.location.hash));
  const sections: SettingsSection[] = [
    {
      id: "automation",
      name: t`Automation`,
      intro: t`When automation may write for you, and to whom it never does.`,
      content: <AutomationSettings services={services} />,
    },
    {
      id: "language",
      name: t`Language`,
      intro: t`The language that this page speaks to you.`,
      content: <LanguageSettings services={services} />,
    },
    {
      id: "people",
      name: t`People`,
      intro: t`Tags and fields of your own for leads, and the people who are not leads.`,
      content: <CrmSettings services={services} />,
    },
    {
      id: "keys",
      name: t`API keys`,
      intro: t`With a key, a program or an assistant can work in your account, only as far as you allow.`,
      content: <KeySettings services={services} />,
    },
    {
      id: "webhooks",
      name: t`Webhooks`,
      intro: t`Tell your own programs within seconds what happens here. Every call is signed.`,
      content: <WebhookSettings services={services} opened={opened} />,
    },
  ];
  return (
    <SettingsView sections={sections} selected={sections.some(({ id }) => id === section) ? section : "automation"} />
  );
}
