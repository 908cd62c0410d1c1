export { answeredAt, DONE, doneUpTo, readUpTo } from "./conversation-state.ts";
export { ownHold } from "./hold.ts";
export { lockLead } from "./lock.ts";
export { havePassed, orderOf, stepsPassed } from "./step-places.ts";
