import { msg } from "@lingui/core/macro";
import { useCallback, useMemo } from "react";
import { SCOPES } from "../../domain/api-key.ts";
import {
  ApiKeys,
  BLANK_KEY,
  KEY_DRAFT,
  createApiKey,
  selectIsEditing,
  selectIsKept,
} from "../machines/api-key/api-key.machine.ts";
import { ApiWords } from "../views/doors/ApiWords.tsx";
import { KeysCard } from "../views/doors/KeysCard.tsx";
import { Cards } from "../views/settings/Cards.tsx";
import { useUnsavedWork } from "./unsaved-work.ts";
import type { Services } from "./services.ts";
import { useDraft } from "./use-draft.ts";

const LOSS = msg`The new key is shown only now, and you have not copied it. Leave without it?`;

/** The keys by which programs call, and where they go with them. */
export default function KeySettings({ services }: { services: Services }) {
  const logic = useMemo(() => createApiKey(services), [services]);
  return (
    <ApiKeys.Provider logic={logic} options={{ input: { origin: window.location.origin } }}>
      <Kept services={services} />
      <Cards layout="main">
        <KeysCard />
        <ApiWords />
      </Cards>
    </ApiKeys.Provider>
  );
}

const BLANK = { name: BLANK_KEY.name, scopes: BLANK_KEY.scopes.join(" ") };

/** What is typed of a key is there again after a reload; its secret is kept nowhere, and asks before it is left. */
function Kept({ services: { drafts, leaving } }: { services: Services }) {
  const typed = ApiKeys.useSelector(({ context }) => context.form);
  const isEditing = ApiKeys.useSelector(selectIsEditing);
  const isCreating = ApiKeys.useSelector((chart) => chart.matches({ work: "creating" }));
  const isKept = ApiKeys.useSelector(selectIsKept);
  const send = ApiKeys.useSend();
  const form = useMemo(() => {
    if (isCreating) return null;
    return isEditing ? { name: typed.name, scopes: typed.scopes.join(" ") } : BLANK;
  }, [isEditing, isCreating, typed]);
  const restore = useCallback(
    ({ name = BLANK.name, scopes = BLANK.scopes }: Partial<typeof BLANK>) =>
      send({
        type: "key.add",
        form: { name, scopes: SCOPES.filter((scope) => scopes.split(" ").includes(scope)) },
      }),
    [send],
  );
  useDraft(drafts, { name: KEY_DRAFT, form, blank: BLANK, restore });
  useUnsavedWork(leaving, !isKept, nothing, LOSS);
  return null;
}

const nothing = () => {};
