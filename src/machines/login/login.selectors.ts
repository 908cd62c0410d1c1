import type { LoginSnapshot } from "./login.machine.ts";

/** True from the submitted form until the answer is dealt with; a success keeps it until the screen changes. */
export const selectIsSigningIn = (login: LoginSnapshot) => login.hasTag("busy") || login.matches("signedIn");
