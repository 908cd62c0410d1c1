import { msg, t } from "@lingui/core/macro";
import { useEffect, useMemo, useRef } from "react";
import {
  WebhookDeliveries,
  createWebhookDeliveries,
} from "../machines/webhook-deliveries/webhook-deliveries.machine.ts";
import {
  BLANK_WEBHOOK,
  Webhooks,
  createWebhooks,
  selectIsEditing,
  selectIsSecretSaved,
  webhookDraft,
} from "../machines/webhooks/webhooks.machine.ts";
import { throttled } from "../machines/kit/refreshing.ts";
import { unsubscribeAll } from "../services/unsubscribe-all.ts";
import { watchReturns } from "../services/page-returns.ts";
import { createWebhooksGateway } from "../services/webhooks.ts";
import { DeliveriesCard } from "../views/integrations/DeliveriesCard.tsx";
import { WebhooksCard } from "../views/integrations/WebhooksCard.tsx";
import { useUnsavedWork } from "./unsaved-work.ts";
import type { Services } from "./services.ts";
import { createSignal } from "../services/signal.ts";
import { useDraft } from "./use-draft.ts";

const LOSS = msg`The new webhook’s signing secret is shown only now, and you have not copied it. Leave without it?`;
/** A busy account reports every delivery, so refreshes are throttled. */
const NEWS_EVERY_MS = 2_000;

/** The list of webhooks, or the deliveries of one (`opened` is its id). */
export default function WebhookSettings({ services, opened }: { services: Services; opened: string | null }) {
  const { list, deliveries } = useMemo(() => logicOf(services), [services]);
  return (
    <>
      <Webhooks.Provider logic={list}>
        <WebhookDraft services={services} />
        <List isShown={opened === null} />
      </Webhooks.Provider>
      {opened !== null && (
        <WebhookDeliveries.Provider key={opened} logic={deliveries} options={{ input: { id: opened } }}>
          <DeliveriesCard />
        </WebhookDeliveries.Provider>
      )}
    </>
  );
}

/** The list, which keeps its form while the user looks at deliveries. */
function List({ isShown }: { isShown: boolean }) {
  const frame = useRef<HTMLDivElement>(null);
  const wasAway = useRef(false);
  useEffect(() => {
    // Closing the deliveries returns to the list.
    if (isShown && wasAway.current) frame.current?.focus();
    wasAway.current = !isShown;
  }, [isShown]);
  return (
    <div ref={frame} tabIndex={-1} role="group" aria-label={t`Webhooks`} hidden={!isShown}>
      <WebhooksCard />
    </div>
  );
}

const BLANK = { at: "", url: "", events: [] };
const NEW = "new";

/** Keeps the form of a webhook across reloads. Its secret is not stored, so leaving it asks for confirmation. */
function WebhookDraft({ services: { drafts, leaving } }: { services: Services }) {
  const webhooks = Webhooks.useSelector(({ context }) => context.webhooks);
  const isShown = Webhooks.useSelector((chart) => chart.matches({ list: "shown" }));
  const isEditing = Webhooks.useSelector(selectIsEditing);
  const isSaving = Webhooks.useSelector((chart) => chart.matches({ work: "saving" }));
  const active = Webhooks.useSelector(({ context }) => context.active);
  const typed = Webhooks.useSelector(({ context }) => context.form);
  const isSecretSaved = Webhooks.useSelector(selectIsSecretSaved);
  const send = Webhooks.useSend();
  const before = active ?? BLANK_WEBHOOK;
  const isTyped = typed.url !== before.url || typed.events.join() !== before.events.join();
  const form = isEditing && isTyped ? { at: active?.id ?? NEW, url: typed.url, events: [...typed.events] } : BLANK;
  useDraft(webhookDraft(drafts), {
    form: isShown && !isSaving ? form : null,
    server: BLANK,
    restore({ at = "", url = "", events = [] }) {
      const again = { url, events };
      if (at === NEW) send({ type: "webhook.add", form: again });
      else if (webhooks.some(({ id }) => id === at)) send({ type: "webhook.edit", id: at, form: again });
    },
  });
  useUnsavedWork(leaving, !isSecretSaved, { question: LOSS });
  return null;
}

function logicOf(services: Services) {
  const gateway = createWebhooksGateway(services.http);
  // List and deliveries refresh after each other's changes.
  const written = createSignal();
  const notifying =
    <Input, Output>(call: (input: Input) => Promise<Output>) =>
    (input: Input): Promise<Output> =>
      call(input).finally(written.notify);
  const onChanged = (listener: () => void) => {
    const { call, end } = throttled(listener, NEWS_EVERY_MS);
    return unsubscribeAll([
      services.events.subscribe("webhook.changed", call),
      written.listen(call),
      watchReturns(call),
      end,
    ]);
  };
  const webhooks = {
    ...gateway,
    add: notifying(gateway.add),
    change: notifying(gateway.change),
    remove: notifying(gateway.remove),
    replay: notifying(gateway.replay),
    test: notifying(gateway.test),
  };
  return {
    list: createWebhooks(services, { webhooks, onChanged }),
    deliveries: createWebhookDeliveries(services, { webhooks, onChanged }),
  };
}
