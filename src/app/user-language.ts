import { createActor } from "xstate";
import { createLanguage } from "../machines/language/language.machine.ts";
import { onceAPage, onSignOut } from "./lifetime.ts";

/** One for the page, until its user signs out: reads the language of the user's settings and shows it. */
export const userLanguageOf = onceAPage((services) => {
  const language = createActor(createLanguage(services, { language: services.language })).start();
  const unwatch = services.language.watchUser((saved) => language.send({ type: "language.saved", language: saved }));
  onSignOut(services, () => {
    unwatch();
    language.stop();
  });
  return language;
});
