import { msg } from "@lingui/core/macro";
import { useMemo } from "react";
import {
  ApiKeys,
  BLANK_KEY,
  createApiKey,
  keyDraft,
  selectIsEditing,
  selectIsSecretSaved,
} from "../machines/api-key/api-key.machine.ts";
import { ApiAddresses } from "../views/integrations/ApiAddresses.tsx";
import { KeysCard } from "../views/integrations/KeysCard.tsx";
import { Cards } from "../views/settings/Cards.tsx";
import { useUnsavedWork } from "./unsaved-work.ts";
import type { Services } from "./services.ts";
import { useDraft } from "./use-draft.ts";

const LOSS = msg`The new key is shown only now, and you have not copied it. Leave without it?`;

export default function KeySettings({ services }: { services: Services }) {
  const logic = useMemo(() => createApiKey(services), [services]);
  return (
    <ApiKeys.Provider logic={logic} options={{ input: { origin: window.location.origin } }}>
      <KeyDraft services={services} />
      <Cards layout="main">
        <KeysCard />
        <ApiAddresses />
      </Cards>
    </ApiKeys.Provider>
  );
}

/** Keeps the form of a key across reloads. Its secret is not stored, so leaving it asks for confirmation. */
function KeyDraft({ services: { drafts, leaving } }: { services: Services }) {
  const typed = ApiKeys.useSelector(({ context }) => context.form);
  const isEditing = ApiKeys.useSelector(selectIsEditing);
  const isCreating = ApiKeys.useSelector((chart) => chart.matches({ work: "creating" }));
  const isSecretSaved = ApiKeys.useSelector(selectIsSecretSaved);
  const send = ApiKeys.useSend();
  const { name, scopes } = isEditing ? typed : BLANK_KEY;
  useDraft(keyDraft(drafts), {
    form: isCreating ? null : { name, scopes: [...scopes] },
    server: { name: BLANK_KEY.name, scopes: [...BLANK_KEY.scopes] },
    restore: (draft) => send({ type: "key.add", form: { ...BLANK_KEY, ...draft } }),
  });
  useUnsavedWork(leaving, !isSecretSaved, { question: LOSS });
  return null;
}
