export { concernsLead, createIntake, type Intake } from "./intake.ts";
export { registerLeads } from "./routes.ts";
export { moveLead, type StageMove } from "./stage-move.ts";
