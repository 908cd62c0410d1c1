import { Plus } from "lucide-react";
import { useCallback, useEffect, useRef } from "react";
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
  selectProblem,
  selectUnread,
  useApiKey,
  useApiKeyEvents,
  useCanApiKey,
} from "../../machines/api-key/index.ts";
import { dateText, momentText } from "../../machines/kit/format.ts";
import { Badge } from "../../ui/Badge.tsx";
import { Button } from "../../ui/Button.tsx";
import { Card } from "../../ui/Card.tsx";
import { focusIfLost, useFocusKeeper } from "../../ui/focus.ts";
import { FormProblem } from "../../ui/FormProblem.tsx";
import { NotRead } from "../../ui/NotRead.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
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
  const problem = useApiKey(selectProblem);
  const canAdd = useCanApiKey({ type: "key.add", form: BLANK_KEY });
  const { add, retry } = useApiKeyEvents();
  // Where the button comes back in place of what had the focus, it has it again.
  const isAway = isEditing || isRevealed;
  const wasAway = useRef(false);
  useEffect(() => {
    wasAway.current = isAway;
  }, [isAway]);
  const addAgain = useCallback((button: HTMLButtonElement | null) => {
    if (wasAway.current) focusIfLost(button);
  }, []);
  return (
    <Card className={css["card"]}>
      {isLoading && <Skeleton height="4rem" />}
      {unread !== null && <NotRead what={unread} onRetry={retry} />}
      {outdated !== null && <NotRead what={outdated} isOutdated onRetry={retry} />}
      {problem !== null && !isEditing && <FormProblem>{problem}</FormProblem>}
      <NewKey />
      <Keys />
      {isEditing && <KeyForm />}
      {!isAway && (
        <Button ref={addAgain} className={css["add"]} isResting={!canAdd} onClick={() => add(BLANK_KEY)}>
          <Plus size={16} aria-hidden="true" />
          New key
        </Button>
      )}
    </Card>
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
    </li>
  );
}
