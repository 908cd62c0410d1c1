import { Language } from "../machines/language/language.machine.ts";
import { LanguageCard } from "../views/language/LanguageCard.tsx";
import type { Services } from "./services.ts";
import { userLanguageOf } from "./user-language.ts";

export default function LanguageSettings({ services }: { services: Services }) {
  return (
    <Language.ActorProvider value={userLanguageOf(services)}>
      <LanguageCard />
    </Language.ActorProvider>
  );
}
