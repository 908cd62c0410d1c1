export { leadAutomationMachine } from "./lead-automation.machine.ts";
