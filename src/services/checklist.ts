import { createChatImportGateway } from "./chat-import.ts";
import { createChoicesGateway } from "./choices.ts";
import { createFollowupSends } from "./followup-sends.ts";
import type { Http } from "./http.ts";
import { createSettingsGateway } from "./settings.ts";
import { createStagesGateway } from "./stages.ts";
import { createTelegramGateway } from "./telegram.ts";

/** Stages to start from, each with keywords that move a lead there. */
const EXAMPLE_STAGES = [
  { name: "Interested", keywords: ["price", "cost", '"how much"'], color: "#2563eb" },
  { name: "Ready to buy", keywords: ["buy", "invoice", '"how do i pay"'], color: "#d97706" },
  { name: "Customer", keywords: ["paid", '"payment sent"'], color: "#16a34a" },
] as const;

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

    /** Adds the example stages after the user's own. Called again, it adds only those that are missing. */
    async addStages() {
      const known = await stages.list();
      const names = new Set(known.map(({ name }) => name?.toLowerCase()));
      let order = Math.max(0, ...known.map((stage) => stage.order ?? 0));
      for (const { keywords, ...stage } of EXAMPLE_STAGES) {
        if (names.has(stage.name.toLowerCase())) continue;
        order += 1;
        // oxlint-disable-next-line no-await-in-loop -- in their order, and none after a refusal
        await stages.create({ ...stage, keywords: [...keywords], order });
      }
    },

    async dismiss() {
      await choices.save({ setup_dismissed: true });
      isDismissed = true;
    },
  };
};
