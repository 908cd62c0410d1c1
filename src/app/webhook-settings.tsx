import { useCallback, useEffect, useMemo, useRef } from "react";
import { WebhookDeliveriesProvider, createWebhookDeliveries } from "../machines/webhook-deliveries/index.ts";
import {
  BLANK_WEBHOOK,
  WebhooksProvider,
  createWebhooks,
  selectActive,
  selectForm,
  selectIsEditing,
  selectIsKept,
  selectIsSaving,
  selectIsShown,
  selectWebhooks,
  useWebhooks,
  useWebhooksEvents,
} from "../machines/webhooks/index.ts";
import { paced } from "../machines/kit/paced.ts";
import { copyText } from "../services/clipboard.ts";
import { watchReturns } from "../services/page-returns.ts";
import { createWebhooksGateway } from "../services/webhooks.ts";
import { DeliveriesCard } from "../views/doors/DeliveriesCard.tsx";
import { WebhooksCard } from "../views/doors/WebhooksCard.tsx";
import { useUnsavedWork } from "./unsaved-work.ts";
import type { Services } from "./services.ts";
import { createSignal } from "./signal.ts";
import { forgettingDraft, useDraft } from "./use-draft.ts";

const DRAFT = "a webhook";
const LOSS = "The new webhook's signing secret is shown only now, and you have not copied it. Leave without it?";
/** A busy account tells of each delivery. */
const NEWS_EVERY_MS = 2_000;

/** Webhooks, or what one of them (`opened`, its id) was sent. */
export default function WebhookSettings({ services, opened }: { services: Services; opened: string | null }) {
  const { list, deliveries } = useMemo(() => logicOf(services), [services]);
  return (
    <>
      <WebhooksProvider logic={list}>
        <Kept services={services} />
        <List isShown={opened === null} />
      </WebhooksProvider>
      {opened !== null && (
        <WebhookDeliveriesProvider key={opened} logic={deliveries} options={{ input: { id: opened } }}>
          <DeliveriesCard />
        </WebhookDeliveriesProvider>
      )}
    </>
  );
}

/** The list, which keeps what is begun in it while one webhook's deliveries are looked at. */
function List({ isShown }: { isShown: boolean }) {
  const frame = useRef<HTMLDivElement>(null);
  const wasAway = useRef(false);
  useEffect(() => {
    // Whoever comes back from the deliveries goes on at the list.
    if (isShown && wasAway.current) frame.current?.focus();
    wasAway.current = !isShown;
  }, [isShown]);
  return (
    <div ref={frame} tabIndex={-1} role="group" aria-label="Webhooks" hidden={!isShown}>
      <WebhooksCard />
    </div>
  );
}

const BLANK = { at: "", url: "", events: "" };
const NEW = "new";

/** What is typed of a webhook is there again after a reload; its secret is kept nowhere, and asks before it is left. */
function Kept({ services: { drafts, leaving } }: { services: Services }) {
  const webhooks = useWebhooks(selectWebhooks);
  const isShown = useWebhooks(selectIsShown);
  const isEditing = useWebhooks(selectIsEditing);
  const isSaving = useWebhooks(selectIsSaving);
  const active = useWebhooks(selectActive);
  const typed = useWebhooks(selectForm);
  const isKept = useWebhooks(selectIsKept);
  const { add, edit } = useWebhooksEvents();
  const form = useMemo(() => {
    if (!isShown || isSaving) return null;
    const before = active ?? BLANK_WEBHOOK;
    const isTyped = typed.url !== before.url || typed.events.join() !== before.events.join();
    return isEditing && isTyped ? { at: active?.id ?? NEW, url: typed.url, events: typed.events.join() } : BLANK;
  }, [isShown, isSaving, isEditing, active, typed]);
  const restore = useCallback(
    ({ at = "", url = "", events = "" }: Partial<typeof BLANK>) => {
      const again = { url, events: events.split(",").filter(Boolean) };
      if (at === NEW) add(again);
      else if (webhooks.some(({ id }) => id === at)) edit(at, again);
    },
    [webhooks, add, edit],
  );
  useDraft(drafts, { name: DRAFT, form, blank: BLANK, restore });
  useUnsavedWork(leaving, !isKept, nothing, LOSS);
  return null;
}

const nothing = () => {};

function logicOf(services: Services) {
  const { http, events, notifier, logger } = services;
  const gateway = createWebhooksGateway(http);
  // The list and the deliveries each hear of what the other has done.
  const written = createSignal();
  const telling =
    <Input, Output>(call: (input: Input) => Promise<Output>) =>
    (input: Input): Promise<Output> =>
      call(input).finally(written.tell);
  const onChanged = (listener: () => void) => {
    const { tell, end } = paced(listener, NEWS_EVERY_MS);
    const ends = [events.subscribe("webhook.changed", tell), written.listen(tell), watchReturns(tell), end];
    return () => ends.forEach((stop) => stop());
  };
  const webhooks = {
    ...gateway,
    add: telling(forgettingDraft(services, DRAFT, gateway.add)),
    change: telling(gateway.change),
    remove: telling(gateway.remove),
    replay: telling(gateway.replay),
    test: telling(gateway.test),
  };
  const page = { onChanged, notifier, logger };
  return {
    list: createWebhooks({
      webhooks: { ...webhooks, change: forgettingDraft(services, DRAFT, webhooks.change) },
      copyText,
      ...page,
    }),
    deliveries: createWebhookDeliveries({ webhooks, ...page }),
  };
}
