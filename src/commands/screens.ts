/** The screens as the menu has them, in its order. */
export const SCREENS = [
  { path: "/dashboard", name: "Dashboard" },
  { path: "/inbox", name: "Inbox" },
  { path: "/leads", name: "Leads" },
  { path: "/stages", name: "Stages" },
  { path: "/followups", name: "Follow-up Settings" },
  { path: "/reminders", name: "Reminders" },
  { path: "/snippets", name: "Snippets" },
  { path: "/bulk-message", name: "Bulk Message" },
  { path: "/activity", name: "Activity" },
  { path: "/stats", name: "Stats" },
  { path: "/connect-telegram", name: "Connect Telegram" },
  { path: "/settings", name: "Settings" },
  { path: "/subscribe", name: "Billing" },
] as const;

export type MenuPath = (typeof SCREENS)[number]["path"];
