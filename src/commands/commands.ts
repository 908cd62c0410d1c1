import { msg } from "@lingui/core/runtime-macro";
import type { UiText } from "../../domain/ui-text.ts";
import { type ActionId, SHORTCUTS } from "./keyed.ts";
import { type MenuPath, SCREENS } from "./screens.ts";

export type Command = {
  id: string;
  name: UiText;
  group: "here" | "screens" | "actions";
  /** Its keyboard shortcut. */
  keys?: string;
  /** English words by which it is found in any language: those of its name, and others. */
  also: string;
} & (
  | { kind: "screen"; path: string }
  /** Presses the control with this `data-command` on its screen, or focuses it when it is a field. */
  | { kind: "control"; path: string; control: ControlId }
  | { kind: "action"; action: ActionId }
);

/** The `data-command` of a control that a command leads to. */
export type ControlId =
  | "leads.name"
  | "leads.refresh"
  | "leads.clear"
  | "inbox.search"
  | "stages.add"
  | "followups.add"
  | "reminders.add"
  | "snippets.add"
  | "bulk.message"
  | "stats.1d"
  | "stats.7d"
  | "stats.30d"
  | "stats.custom"
  | "telegram.code"
  | "telegram.qr"
  | "billing.manage";

const screen = (path: string, name: UiText, also: string): Command => ({
  id: path,
  group: "screens",
  kind: "screen",
  path,
  name,
  also,
});
const control = (path: string, name: UiText, id: ControlId, also: string): Command => ({
  id,
  group: "actions",
  kind: "control",
  path,
  control: id,
  name,
  also,
});
const action = (id: ActionId, name: UiText, also: string): Command => ({
  id,
  group: "actions",
  kind: "action",
  action: id,
  name,
  also,
});

const ALSO: Record<MenuPath, string> = {
  "/dashboard": "dashboard home start",
  "/inbox": "inbox conversations messages chats",
  "/leads": "leads list people contacts",
  "/stages": "stages pipeline keywords",
  "/followups": "follow-up settings steps automation",
  "/reminders": "reminders rules",
  "/snippets": "snippets templates",
  "/bulk-message": "bulk message broadcast campaign send",
  "/activity": "activity ledger sends log",
  "/stats": "stats charts figures conversion",
  "/connect-telegram": "connect telegram account",
  "/settings": "settings time zone weekdays dry run read receipts opt-out",
  "/subscribe": "billing subscription payment plan",
};

const KEYED_ALSO: Partial<Record<ActionId, string>> = {
  "inbox.next": "next conversation in the list",
  "inbox.previous": "previous conversation in the list before",
  "inbox.waiting": "next person waiting conversation",
  "inbox.reply": "reply answer conversation",
  "inbox.stage": "stage conversation",
  "inbox.done": "mark done until they write again conversation waiting",
};

/** Returns the commands with keyboard shortcuts. The list of shortcuts is found by its full name. */
function keyedCommands(): Command[] {
  return SHORTCUTS.flatMap(({ action: id, name, keys }): Command[] => {
    if (id === null) return [];
    if (id === "sheet.open")
      return [{ ...action(id, msg`Keyboard shortcuts`, "keyboard shortcuts help keys sheet"), keys }];
    return [{ ...action(id, name, KEYED_ALSO[id] ?? ""), keys, group: "here" }];
  });
}

/** All commands of the palette. Its screens are those of the menu, in the same order. */
export const COMMANDS: readonly Command[] = [
  ...SCREENS.map(({ path, name }) => screen(path, name, ALSO[path])),
  screen("/board", msg`Board`, "board kanban pipeline columns drag leads"),
  screen("/settings#language", msg`Language`, "language settings translation locale"),
  screen(
    "/settings#people",
    msg`Tags, fields and exclusions`,
    "tags, fields and exclusions settings not a lead contacts crm",
  ),
  screen("/settings#keys", msg`API keys`, "api keys settings programs mcp assistant token secret"),
  screen("/settings#webhooks", msg`Webhooks`, "webhooks settings events deliveries n8n"),
  control("/leads", msg`Find leads by name`, "leads.name", "find leads by name filter search"),
  control("/leads", msg`Refresh the leads`, "leads.refresh", "refresh the leads reload"),
  control("/leads", msg`Clear the leads' filters`, "leads.clear", "clear the leads' filters"),
  control("/inbox", msg`Search people and messages`, "inbox.search", "search people and messages find conversation"),
  control("/stages", msg`Add a stage`, "stages.add", "add a stage new"),
  control("/followups", msg`Add a follow-up`, "followups.add", "add a follow-up new step"),
  control("/reminders", msg`Add a reminder`, "reminders.add", "add a reminder new rule"),
  control("/snippets", msg`Write a snippet`, "snippets.add", "write a snippet new add template"),
  control("/bulk-message", msg`Write a bulk message`, "bulk.message", "write a bulk message new broadcast"),
  control("/stats", msg`Stats of today`, "stats.1d", "stats of today"),
  control("/stats", msg`Stats of the last 7 days`, "stats.7d", "stats of the last 7 days week"),
  control("/stats", msg`Stats of the last 30 days`, "stats.30d", "stats of the last 30 days month"),
  control("/stats", msg`Stats for a custom period`, "stats.custom", "stats for a custom period chosen days dates"),
  control("/connect-telegram", msg`Connect Telegram by code`, "telegram.code", "connect telegram by code login phone"),
  control(
    "/connect-telegram",
    msg`Connect Telegram by QR code`,
    "telegram.qr",
    "connect telegram by qr code login scan",
  ),
  control("/subscribe", msg`Manage billing`, "billing.manage", "manage billing card invoice cancel"),
  action("theme.light", msg`Light theme`, "light theme colours colors appearance"),
  action("theme.dark", msg`Dark theme`, "dark theme colours colors appearance night"),
  action("theme.system", msg`System theme`, "system theme colours colors appearance"),
  action("account.leave", msg`Log out`, "log out logout sign out"),
  ...keyedCommands(),
];
