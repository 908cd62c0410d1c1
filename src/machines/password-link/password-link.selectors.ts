import type { PasswordLinkSnapshot } from "./password-link.machine.ts";

export const selectIsSending = (link: PasswordLinkSnapshot) => link.hasTag("busy");
export const selectProblem = (link: PasswordLinkSnapshot) => link.context.problem;
/** The address the link was sent to, once it was. */
export const selectSentTo = (link: PasswordLinkSnapshot) => (link.matches("sent") ? link.context.email : null);
