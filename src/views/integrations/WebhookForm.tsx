import type { MessageDescriptor } from "@lingui/core";
import { msg, t } from "@lingui/core/macro";
import { WEBHOOK_EVENTS, type WebhookEvent } from "../../../domain/webhook.ts";
import { type WebhookForm as Form, Webhooks } from "../../machines/webhooks/webhooks.machine.ts";
import { announced } from "../../ui/form.tsx";
import { TextField } from "../../ui/Field.tsx";
import { Choices } from "./Choices.tsx";
import { ItemForm } from "../shell/ItemForm.tsx";

const EVENT_DESCRIPTIONS: Record<WebhookEvent, MessageDescriptor> = {
  "lead.created": msg`Somebody new became a lead.`,
  "lead.stage_changed": msg`A lead went to another stage.`,
  "lead.opted_out": msg`A lead asked for no more messages.`,
  "message.received": msg`A lead wrote to you.`,
  "message.sent": msg`A reply or a bulk message went out, or you wrote from your phone.`,
  "followup.sent": msg`A follow-up went out.`,
  "bulk.finished": msg`A bulk message ended.`,
  "account.disconnected": msg`Telegram is not connected any more.`,
};

const FIELDS = ["url", "events"];

export function WebhookForm() {
  const [chart, send] = Webhooks.use();
  const { form, active, problem, refused } = chart.context;
  const isSaving = chart.matches({ work: "saving" });
  const change = (typed: Partial<Form>) => send({ type: "form.change", change: typed });
  return (
    <ItemForm
      surface="well"
      pad={4}
      share="less"
      aria-label={active === null ? t`New webhook` : t`Edit webhook`}
      refusal={{ problem, refused, fields: FIELDS }}
      saveLabel={active === null ? t`Add webhook` : t`Save webhook`}
      isSaving={isSaving}
      canSave={chart.can({ type: "form.submit" })}
      send={send}
    >
      <TextField
        label={t`Address`}
        description={t`Begins with https:// and can be reached from the internet. Each event goes there as a signed POST.`}
        type="url"
        inputMode="url"
        dir="ltr"
        autoComplete="off"
        spellCheck={false}
        readOnly={isSaving}
        value={form.url}
        errorMessage={announced(refused["url"])}
        onChange={({ target }) => change({ url: target.value })}
      />
      <Choices
        legend={t`Events to send`}
        choices={WEBHOOK_EVENTS.map((id) => ({ id, name: id, description: t(EVENT_DESCRIPTIONS[id]) }))}
        chosen={form.events}
        isDisabled={isSaving}
        problem={refused["events"]}
        onChange={(events) => change({ events })}
      />
    </ItemForm>
  );
}
