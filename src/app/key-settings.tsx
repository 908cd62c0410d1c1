import { useCallback, useMemo } from "react";
import { SCOPES } from "../../domain/api-key.ts";
import {
  ApiKeyProvider,
  BLANK_KEY,
  createApiKey,
  selectForm,
  selectIsCreating,
  selectIsKept,
  selectIsEditing,
  useApiKey,
  useApiKeyEvents,
} from "../machines/api-key/index.ts";
import { copyText } from "../services/clipboard.ts";
import { createKeysGateway } from "../services/keys.ts";
import { watchReturns } from "../services/page-returns.ts";
import { ApiWords } from "../views/doors/ApiWords.tsx";
import { KeysCard } from "../views/doors/KeysCard.tsx";
import { Cards } from "../views/settings/Cards.tsx";
import { useUnsavedWork } from "./unsaved-work.ts";
import type { Services } from "./services.ts";
import { forgettingDraft, useDraft } from "./use-draft.ts";

const DRAFT = "a key";
const LOSS = "The new key is shown only now, and you have not copied it. Leave without it?";

/** The keys by which programs call, and where they go with them. */
export default function KeySettings({ services }: { services: Services }) {
  const logic = useMemo(() => {
    const { http, notifier, logger } = services;
    const keys = createKeysGateway(http);
    return createApiKey({
      keys: { ...keys, create: forgettingDraft(services, DRAFT, keys.create) },
      copyText,
      onReturn: watchReturns,
      notifier,
      logger,
    });
  }, [services]);
  return (
    <ApiKeyProvider logic={logic} options={{ input: { origin: window.location.origin } }}>
      <Kept services={services} />
      <Cards layout="main">
        <KeysCard />
        <ApiWords />
      </Cards>
    </ApiKeyProvider>
  );
}

const BLANK = { name: BLANK_KEY.name, scopes: BLANK_KEY.scopes.join(" ") };

/** What is typed of a key is there again after a reload; its secret is kept nowhere, and asks before it is left. */
function Kept({ services: { drafts, leaving } }: { services: Services }) {
  const typed = useApiKey(selectForm);
  const isEditing = useApiKey(selectIsEditing);
  const isCreating = useApiKey(selectIsCreating);
  const isKept = useApiKey(selectIsKept);
  const { add } = useApiKeyEvents();
  const form = useMemo(() => {
    if (isCreating) return null;
    return isEditing ? { name: typed.name, scopes: typed.scopes.join(" ") } : BLANK;
  }, [isEditing, isCreating, typed]);
  const restore = useCallback(
    ({ name = BLANK.name, scopes = BLANK.scopes }: Partial<typeof BLANK>) =>
      add({ name, scopes: SCOPES.filter((scope) => scopes.split(" ").includes(scope)) }),
    [add],
  );
  useDraft(drafts, { name: DRAFT, form, blank: BLANK, restore });
  useUnsavedWork(leaving, !isKept, nothing, LOSS);
  return null;
}

const nothing = () => {};
