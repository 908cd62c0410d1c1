export { leadAutomationMachine, type LeadAutomationRef } from "./lead-automation.machine.ts";
