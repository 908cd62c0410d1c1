import { type DeedId, KEYED } from "./keyed.ts";
import { SCREENS } from "./screens.ts";

export type Command = {
  id: string;
  name: string;
  group: "Screens" | "Actions" | "Here";
  /** How it is done by keyboard. */
  keys?: string;
  /** Other words by which it is found. */
  also?: string;
} & (
  | { kind: "screen"; path: string }
  /** On its screen: the control of this name is pressed, or a field of this name gets the focus. */
  | { kind: "control"; path: string; control: string }
  | { kind: "deed"; deed: DeedId }
);

const screen = (path: string, name: string, also = ""): Command => ({
  id: path,
  group: "Screens",
  kind: "screen",
  path,
  name,
  also,
});
const control = (path: string, name: string, what: string, also = ""): Command => ({
  id: `${path} ${what}`,
  group: "Actions",
  kind: "control",
  path,
  control: what,
  name,
  also,
});
const deed = (id: DeedId, name: string, also = ""): Command => ({
  id,
  group: "Actions",
  kind: "deed",
  deed: id,
  name,
  also,
});

const ALSO: Partial<Record<string, string>> = {
  "/dashboard": "home start",
  "/inbox": "conversations messages chats",
  "/leads": "list people contacts",
  "/stages": "pipeline keywords",
  "/followups": "steps automation",
  "/bulk-message": "broadcast campaign send",
  "/activity": "ledger sends log",
  "/stats": "charts figures conversion",
  "/settings": "time zone weekdays dry run read receipts opt-out",
  "/subscribe": "subscription payment plan",
};

/**
 * Everything the page does by name: the one list that the palette, the keys and the sheet of keys read; its screens are the
 * menu's.
 */
export const COMMANDS: readonly Command[] = [
  ...SCREENS.map(({ path, name }) => screen(path, name, ALSO[path])),
  screen("/board", "Board", "kanban pipeline columns drag leads"),
  screen("/settings#people", "Tags, fields and exclusions", "settings not a lead contacts crm"),
  screen("/settings#keys", "API keys", "settings programs mcp assistant token secret"),
  screen("/settings#webhooks", "Webhooks", "settings events deliveries n8n"),
  control("/leads", "Find leads by name", "Name", "filter search"),
  control("/leads", "Refresh the leads", "Refresh", "reload"),
  control("/leads", "Clear the leads' filters", "Clear All"),
  control("/inbox", "Search people and messages", "Search people and messages", "find conversation"),
  control("/stages", "Add a stage", "Add Stage", "new"),
  control("/followups", "Add a follow-up", "Message", "new step"),
  control("/reminders", "Add a reminder", "Stage name", "new rule"),
  control("/snippets", "Write a snippet", "Add Snippet", "new"),
  control("/bulk-message", "Write a bulk message", "Message", "new broadcast"),
  control("/stats", "Stats of today", "Today"),
  control("/stats", "Stats of the last 7 days", "Last 7 Days", "week"),
  control("/stats", "Stats of the last 30 days", "Last 30 Days", "month"),
  control("/stats", "Stats of chosen days", "Custom", "period dates"),
  control("/connect-telegram", "Connect Telegram by code", "Use Code", "login phone"),
  control("/connect-telegram", "Connect Telegram by QR", "Use QR", "login scan"),
  control("/subscribe", "Manage billing", "Manage Billing", "card invoice cancel"),
  deed("theme.light", "Light theme", "colours appearance"),
  deed("theme.dark", "Dark theme", "colours appearance night"),
  deed("theme.system", "System theme", "colours appearance"),
  deed("account.leave", "Log out", "logout sign out"),
  ...KEYED.flatMap(({ deed: id, name, keys }): Command[] => {
    if (id === null) return [];
    const isSheet = id === "sheet.open";
    return [
      {
        id,
        kind: "deed",
        deed: id,
        keys,
        group: isSheet ? "Actions" : "Here",
        name: isSheet ? "Keyboard shortcuts" : name,
        also: isSheet ? "help keys sheet" : "conversation",
      },
    ];
  }),
];
