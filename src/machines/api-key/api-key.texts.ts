import { msg } from "@lingui/core/runtime-macro";
import type { UiText } from "../../../domain/ui-text.ts";
import type { Scope } from "../../../domain/api-key.ts";

/** What each scope lets a program do. */
export const SCOPE_LABELS: Record<Scope, UiText> = {
  read: msg`See your leads, conversations, forecast and activity.`,
  write: msg`Change leads, stages, tags, notes, drafts, follow-ups, reminders, settings and webhooks. It sends nothing itself, but automation sends by what it changes, and a webhook that it adds carries the texts of messages to its address.`,
  send: msg`Send replies, follow-ups and bulk messages itself, and let automation go on that was held or stopped.`,
};

/** Shown when `send` is selected. */
export const SEND_WARNING = msg`Anyone who has this key can write to people in your name. Choose it only for a program that you trust to do so.`;

export const mcpAddress = (origin: string): string => `${origin}/mcp`;

/** Returns the settings by which an assistant uses this account with a key. */
export const mcpConfig = (origin: string, secret: string): string =>
  JSON.stringify(
    {
      mcpServers: {
        leadloom: { type: "http", url: mcpAddress(origin), headers: { Authorization: `Bearer ${secret}` } },
      },
    },
    null,
    2,
  );
