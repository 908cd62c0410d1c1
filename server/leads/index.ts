export { leadConditions } from "./filter.ts";
export { createIntake, type Intake } from "./intake.ts";
export { endsHold, pastReceived } from "./automation.ts";
export { readIds } from "./list.ts";
export { registerLeads } from "./routes.ts";
export { byWhom, noteLeadEvent } from "./events.ts";
export { isMovedBy, moveLead, moveLeads, undoMoves } from "./stage-move.ts";
export { type Finding, foundBy, searchText } from "./search.ts";
