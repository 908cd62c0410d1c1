import { setup } from "xstate";
import { AUTOMATION_CHART, AUTOMATION_GUARDS, type AutomationFacts } from "../../../domain/lead-automation.ts";

type Guard = keyof typeof AUTOMATION_GUARDS;
const guards = Object.fromEntries(
  Object.entries(AUTOMATION_GUARDS).map(([name, isMet]) => [
    name,
    ({ context }: { context: AutomationFacts }) => isMet(context),
  ]),
) as Record<Guard, (args: { context: AutomationFacts }) => boolean>;

/**
 * What a lead's automation is doing. The first guard that holds names the state: what stops a lead for good comes before what its account
 * waits for, and that before what its next step waits for. The planner, the claim, the forecast and the page decide by these transitions.
 */
export const leadAutomationMachine = setup({
  types: { context: {} as AutomationFacts, input: {} as AutomationFacts },
  guards,
}).createMachine({ ...AUTOMATION_CHART, context: ({ input }) => input });
