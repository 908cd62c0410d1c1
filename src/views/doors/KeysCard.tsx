import type { ApiKey } from "../../../domain/api-key.ts";
import {
  BLANK_KEY,
  selectActive,
  selectIsEditing,
  selectIsLoading,
  selectIsShown,
  selectKeys,
  selectMade,
  selectOutdated,
  selectUnread,
  useApiKey,
  useApiKeyEvents,
  useCanApiKey,
} from "../../machines/api-key/index.ts";
import { dateText, momentText } from "../../machines/kit/format.ts";
import { selectProblemOf, selectProblemOver } from "../../machines/kit/failed.ts";
import { Badge } from "../../ui/Badge.tsx";
import { Button } from "../../ui/Button.tsx";
import { useFocusKeeper } from "../../ui/focus.ts";
import { FormProblem } from "../../ui/FormProblem.tsx";
import { DoorCard } from "./DoorCard.tsx";
import css from "./doors.module.css";
import { KeyForm } from "./KeyForm.tsx";
import { NewKey } from "./NewKey.tsx";

/** The keys by which programs call, one of them being made, and the new one's secret while it is shown. */
export function KeysCard() {
  const isEditing = useApiKey(selectIsEditing);
  const isRevealed = useApiKey(selectMade) !== null;
  const isLoading = useApiKey(selectIsLoading);
  const unread = useApiKey(selectUnread);
  const outdated = useApiKey(selectOutdated);
  const problem = useApiKey(selectProblemOver);
  const canAdd = useCanApiKey({ type: "key.add", form: BLANK_KEY });
  const { add, retry } = useApiKeyEvents();
  return (
    <DoorCard
      isLoading={isLoading}
      unread={unread}
      outdated={outdated}
      onRetry={retry}
      problem={problem}
      form={isEditing ? <KeyForm /> : null}
      isRevealed={isRevealed}
      adding={{ label: "New key", isResting: !canAdd, onAdd: () => add(BLANK_KEY) }}
    >
      <NewKey />
      <Keys />
    </DoorCard>
  );
}

function Keys() {
  const keys = useApiKey(selectKeys);
  const isShown = useApiKey(selectIsShown);
  const keepFocus = useFocusKeeper("li");
  if (!isShown) return null;
  if (keys.length === 0)
    return <p className={css["empty"]}>No keys yet. A sheet, n8n or an assistant needs one each.</p>;
  return (
    <ul ref={keepFocus} className={css["list"]} aria-label="Keys">
      {keys.map((key) => (
        <KeyRow key={key.id} apiKey={key} />
      ))}
    </ul>
  );
}

function KeyRow({
  apiKey: { id, name, scopes, hint, created_at: createdAt, last_used_at: usedAt },
}: {
  apiKey: ApiKey;
}) {
  const canRevoke = useCanApiKey({ type: "key.revoke", id });
  const isActive = useApiKey((chart) => selectActive(chart)?.id === id);
  const isRevoking = useApiKey((chart) => chart.matches({ work: "revoking" })) && isActive;
  const problem = useApiKey(selectProblemOf(id));
  const { revoke } = useApiKeyEvents();
  return (
    <li className={css["row"]}>
      <div className={css["words"]}>
        <span className={css["name"]} dir="auto">
          {name}
        </span>
        <span className={css["badges"]}>
          {scopes.map((scope) => (
            <Badge key={scope} tone={scope === "send" ? "warn" : "neutral"}>
              {scope}
            </Badge>
          ))}
        </span>
        <span className={css["note"]}>
          <code className={css["code"]}>llk_…{hint}</code> · created {dateText(createdAt)} ·{" "}
          {usedAt === null ? "never used" : `last used ${momentText(usedAt)}`}
        </span>
      </div>
      <Button
        size="small"
        aria-label={`Revoke ${name}`}
        isPending={isRevoking}
        isResting={!canRevoke && !isRevoking}
        onClick={() => revoke(id)}
      >
        Revoke
      </Button>
      {problem !== null && (
        <div className={css["problem"]}>
          <FormProblem>{problem}</FormProblem>
        </div>
      )}
    </li>
  );
}
