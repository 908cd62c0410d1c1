import { createActor } from "xstate";
import { createLanguage } from "../machines/language/language.machine.ts";
import { memoizeByServices, onSignOut } from "./lifetime.ts";

/** One actor per page and user: reads the language of the settings and applies it. */
export const userLanguageOf = memoizeByServices((services) => {
  const language = createActor(createLanguage(services, { language: services.language })).start();
  const unwatch = services.language.watchUser((saved) => language.send({ type: "language.saved", language: saved }));
  onSignOut(services, () => {
    unwatch();
    language.stop();
  });
  return language;
});
