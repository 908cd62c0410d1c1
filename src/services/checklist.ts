import { i18n } from "@lingui/core";
import { EXAMPLE_STAGES } from "../../domain/example-stages.ts";
import { splitKeywords } from "../../domain/stage.ts";
import { createChatImportGateway } from "./chat-import.ts";
import { createSettingsGateway } from "./settings.ts";
import { createFollowupSends } from "./followup-sends.ts";
import type { Http } from "./http.ts";
import { createAutomationSettingsGateway } from "./automation-settings.ts";
import { createStagesGateway } from "./stages.ts";
import { createTelegramGateway } from "./telegram.ts";

/** The first steps of a new user, derived from the responses of other calls. A dismissal is permanent. */
export const createChecklistGateway = (http: Http) => {
  const settings = createSettingsGateway(http);
  const stages = createStagesGateway(http);
  let isDismissed = false;
  return {
    /** Which steps are done; null if the user dismissed the checklist, or if the server does not know the call. */
    async readSteps(signal: AbortSignal) {
      if (isDismissed) return null;
      const stored = await settings.readIfKnown(signal);
      if (stored === null || stored.setup_dismissed) {
        isDismissed = true;
        return null;
      }
      const [telegram, chats, listed, followups, automation] = await Promise.all([
        createTelegramGateway(http).fetchStatus(signal),
        createChatImportGateway(http).readImport(signal),
        stages.list(signal),
        createFollowupSends(http).list(signal),
        createAutomationSettingsGateway(http).read(signal),
      ]);
      return {
        // A lost session also counts as connected: a banner reports it.
        connect: telegram.connected || telegram.phone !== null,
        import: chats !== null,
        stages: listed.length > 1,
        followup: followups.length > 0,
        automation: automation.auto_followups_enabled,
      };
    },

    /**
     * Adds the example stages after the user's own, in the page's language. Called again, it adds only the missing ones, recognized by
     * color in any language. The first stage is the user's own.
     */
    async addStages() {
      const known = await stages.list();
      const names = new Set(known.map(({ name }) => name?.toLowerCase()));
      const colors = new Set(known.slice(1).map((stage) => stage.color));
      let order = Math.max(0, ...known.map((stage) => stage.order ?? 0));
      for (const { color, ...texts } of EXAMPLE_STAGES) {
        const name = i18n._(texts.name);
        if (names.has(name.toLowerCase()) || colors.has(color)) continue;
        order += 1;
        // oxlint-disable-next-line no-await-in-loop -- in order, and none after a refusal
        await stages.create({ name, keywords: splitKeywords(i18n._(texts.keywords)), color, order });
      }
    },

    async dismiss() {
      await settings.save({ setup_dismissed: true });
      isDismissed = true;
    },
  };
};
