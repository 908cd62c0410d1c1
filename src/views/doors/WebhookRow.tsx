import { Pencil, Trash2 } from "lucide-react";
import { Link } from "wouter";
import type { Webhook } from "../../../domain/webhook.ts";
import { selectProblemOf } from "../../machines/kit/failed.ts";
import {
  selectActive,
  selectIsEditing,
  selectSwitched,
  useCanWebhooks,
  useWebhooks,
  useWebhooksEvents,
} from "../../machines/webhooks/index.ts";
import { Badge } from "../../ui/Badge.tsx";
import { Button, buttonLook } from "../../ui/Button.tsx";
import { FormProblem } from "../../ui/FormProblem.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import css from "./doors.module.css";

/** One webhook: where it goes, what it tells of, whether it does, and what can be done with it. */
export function WebhookRow({ webhook: { id, url, events, enabled, disabled_reason: reason } }: { webhook: Webhook }) {
  const form = { url, events };
  const canEdit = useCanWebhooks({ type: "webhook.edit", id, form });
  const canSwitch = useCanWebhooks({ type: "webhook.switch", id });
  const canDelete = useCanWebhooks({ type: "webhook.delete", id });
  const isSwitching = useWebhooks(selectSwitched) === id;
  // The button that asked keeps the focus for the answer.
  const isAsked = useWebhooks((chart) => selectActive(chart)?.id === id && !selectIsEditing(chart)) && !isSwitching;
  const problem = useWebhooks((chart) => (selectIsEditing(chart) ? null : selectProblemOf(id)(chart)));
  const { edit, turn, remove } = useWebhooksEvents();
  const turning = enabled ? "Disable" : reason === null ? "Enable" : "Enable again";
  return (
    <li className={css["row"]}>
      <div className={css["words"]}>
        <span className={css["address"]}>{url}</span>
        <Badge tone={enabled ? "good" : "warn"}>{enabled ? "Enabled" : "Disabled"}</Badge>
        <span className={css["note"]}>{events.join(", ")}</span>
        {!enabled && (
          <span className={css["notice"]}>
            {reason ?? "You disabled it."} What happens meanwhile is not kept for it.
          </span>
        )}
      </div>
      <div className={css["rowActions"]}>
        <Link
          href={`/settings#webhooks/${id}`}
          className={`${buttonLook()} ${css["small"] ?? ""}`}
          aria-label={`Deliveries to ${url}`}
        >
          Deliveries
        </Link>
        <Button
          size="small"
          aria-label={`${turning}: ${url}`}
          isPending={isSwitching}
          isResting={!canSwitch && !isSwitching}
          onClick={() => turn(id)}
        >
          {turning}
        </Button>
        <IconButton label={`Edit ${url}`} icon={<Pencil />} disabled={!canEdit} onClick={() => edit(id, form)} />
        <IconButton
          label={`Delete ${url}`}
          icon={<Trash2 />}
          disabled={!canDelete && !isAsked}
          aria-disabled={!canDelete || undefined}
          onClick={() => remove(id)}
        />
      </div>
      {problem !== null && (
        <div className={css["problem"]}>
          <FormProblem>{problem}</FormProblem>
        </div>
      )}
    </li>
  );
}
