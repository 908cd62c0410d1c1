import { msg } from "@lingui/core/runtime-macro";

/** The screens of the menu, in its order. */
export const SCREENS = [
  { path: "/dashboard", name: msg`Dashboard` },
  { path: "/inbox", name: msg`Inbox` },
  { path: "/leads", name: msg`Leads` },
  { path: "/stages", name: msg`Stages` },
  { path: "/followups", name: msg`Follow-up Settings` },
  { path: "/reminders", name: msg`Reminders` },
  { path: "/snippets", name: msg`Snippets` },
  { path: "/bulk-message", name: msg`Bulk Message` },
  { path: "/activity", name: msg`Activity` },
  { path: "/stats", name: msg`Stats` },
  { path: "/connect-telegram", name: msg`Connect Telegram` },
  { path: "/settings", name: msg`Settings` },
  { path: "/subscribe", name: msg`Billing` },
] as const;

export type MenuPath = (typeof SCREENS)[number]["path"];
