import { i18n } from "@lingui/core";
import { EXAMPLE_STAGES } from "../../domain/example-stages.ts";
import { splitKeywords } from "../../domain/stage.ts";
import { createChatImportGateway } from "./chat-import.ts";
import { createChoicesGateway } from "./choices.ts";
import { createFollowupSends } from "./followup-sends.ts";
import type { Http } from "./http.ts";
import { createSettingsGateway } from "./settings.ts";
import { createStagesGateway } from "./stages.ts";
import { createTelegramGateway } from "./telegram.ts";

/** The first steps of a new user, derived from what the product's calls answer. Remembers a dismissal: it is not undone. */
export const createChecklistGateway = (http: Http) => {
  const choices = createChoicesGateway(http);
  const stages = createStagesGateway(http);
  let isDismissed = false;
  return {
    /** Which steps are done; null where the user dismissed the checklist, or the server does not know the call. */
    async readSteps(signal: AbortSignal) {
      if (isDismissed) return null;
      const settings = await choices.readIfKnown(signal);
      if (settings === null || settings.setup_dismissed) {
        isDismissed = true;
        return null;
      }
      const [telegram, chats, listed, followups, automation] = await Promise.all([
        createTelegramGateway(http).fetchStatus(signal),
        createChatImportGateway(http).readImport(signal),
        stages.list(signal),
        createFollowupSends(http).list(signal),
        createSettingsGateway(http).read(signal),
      ]);
      return {
        // Of a session that was lost, another banner tells.
        connect: telegram.connected || telegram.phone !== null,
        import: chats !== null,
        stages: listed.length > 1,
        followup: followups.length > 0,
        automation: automation.auto_followups_enabled,
      };
    },

    /**
     * Adds the example stages after the user's own, in the page's language. Called again, it adds only those that are missing: one that
     * was added in another language has the same color.
     */
    async addStages() {
      const known = await stages.list();
      const taken = new Set(known.flatMap(({ name, color }) => [name?.toLowerCase(), color]));
      let order = Math.max(0, ...known.map((stage) => stage.order ?? 0));
      for (const { color, ...texts } of EXAMPLE_STAGES) {
        const name = i18n._(texts.name);
        if (taken.has(name.toLowerCase()) || taken.has(color)) continue;
        order += 1;
        // oxlint-disable-next-line no-await-in-loop -- in their order, and none after a refusal
        await stages.create({ name, keywords: splitKeywords(i18n._(texts.keywords)), color, order });
      }
    },

    async dismiss() {
      await choices.save({ setup_dismissed: true });
      isDismissed = true;
    },
  };
};
