import { selectProblemOver } from "../../machines/kit/failed.ts";
import {
  BLANK_WEBHOOK,
  selectCopied,
  selectIsEditing,
  selectIsLoading,
  selectIsShown,
  selectOutdated,
  selectSecret,
  selectUnread,
  selectWebhooks,
  useCanWebhooks,
  useWebhooks,
  useWebhooksEvents,
} from "../../machines/webhooks/index.ts";
import { Button } from "../../ui/Button.tsx";
import { focusIfLost, useFocusKeeper } from "../../ui/focus.ts";
import { DoorCard } from "./DoorCard.tsx";
import css from "./doors.module.css";
import { SecretText } from "./SecretText.tsx";
import { WebhookForm } from "./WebhookForm.tsx";
import { WebhookRow } from "./WebhookRow.tsx";

/** Addresses that are told of what happens, one of them being written, and a new one's secret while it is shown. */
export function WebhooksCard() {
  const isEditing = useWebhooks(selectIsEditing);
  const isRevealed = useWebhooks(selectSecret) !== null;
  const isLoading = useWebhooks(selectIsLoading);
  const unread = useWebhooks(selectUnread);
  const outdated = useWebhooks(selectOutdated);
  const problem = useWebhooks(selectProblemOver);
  const canAdd = useCanWebhooks({ type: "webhook.add", form: BLANK_WEBHOOK });
  const { add, retry } = useWebhooksEvents();
  return (
    <DoorCard
      isLoading={isLoading}
      unread={unread}
      outdated={outdated}
      onRetry={retry}
      problem={problem}
      form={isEditing ? <WebhookForm /> : null}
      isRevealed={isRevealed}
      adding={{ label: "New webhook", isResting: !canAdd, onAdd: () => add(BLANK_WEBHOOK) }}
    >
      <NewSecret />
      <Webhooks />
    </DoorCard>
  );
}

function NewSecret() {
  const secret = useWebhooks(selectSecret);
  const copied = useWebhooks(selectCopied);
  const canCopy = useCanWebhooks({ type: "secret.copy", what: "secret" });
  const canDismiss = useCanWebhooks({ type: "secret.dismiss" });
  const { copy, dismiss } = useWebhooksEvents();
  if (secret === null) return null;
  return (
    <section ref={focusIfLost} tabIndex={-1} className={css["revealed"]} aria-labelledby="new-secret">
      <h3 id="new-secret" className={css["title"]}>
        The new webhook’s signing secret
      </h3>
      <p>Copy it now: it is shown only this once. Whoever receives the events tells by it that they come from here.</p>
      <SecretText
        label="Signing secret"
        text={secret}
        outcome={copied["secret"]}
        isResting={!canCopy}
        copyLabel="Copy secret"
        onCopy={() => copy("secret")}
      />
      <Button variant="primary" className={css["add"]} isResting={!canDismiss} onClick={dismiss}>
        Done
      </Button>
    </section>
  );
}

function Webhooks() {
  const webhooks = useWebhooks(selectWebhooks);
  const isShown = useWebhooks(selectIsShown);
  const keepFocus = useFocusKeeper("li");
  if (!isShown) return null;
  if (webhooks.length === 0)
    return (
      <p className={css["empty"]}>
        None yet. Give the address at which n8n, Make or your own program listens.{" "}
        <a href="/api/docs#/Webhooks" target="_blank" rel="noreferrer">
          What is sent, and how to check it
        </a>
      </p>
    );
  return (
    <ul ref={keepFocus} className={css["list"]} aria-label="Webhooks">
      {webhooks.map((webhook) => (
        <WebhookRow key={webhook.id} webhook={webhook} />
      ))}
    </ul>
  );
}
