import { screen } from "@testing-library/react";
import { expect } from "vitest";
import { WebhookDeliveries } from "../../src/machines/webhook-deliveries/webhook-deliveries.machine.ts";
import { DeliveriesCard } from "../../src/views/integrations/DeliveriesCard.tsx";
import { webhookDeliveriesModel } from "../machines/webhook-deliveries.model.ts";
import { button, over, press, seen } from "../support/screen.ts";
import { walkEveryView } from "../support/walk-view.tsx";

/** Finds a delivery's button by the minute of its event. */
const ofDelivery = (what: string, id: string) => button(new RegExp(`^${what}.*:0${id.slice(1)}`));

walkEveryView({
  model: webhookDeliveriesModel,
  show: over(WebhookDeliveries, <DeliveriesCard />),
  gestures: {
    "delivery.open": press(({ id }) => {
      const body = ofDelivery("Body of", id);
      return body?.getAttribute("aria-expanded") === "false" ? body : null;
    }),
    "delivery.close": press(() => screen.queryByRole("button", { name: /^Body of/, expanded: true })),
    "delivery.replay": press(({ id }) => ofDelivery("Send again:", id)),
    "webhook.test": press("Send a test event"),
    "webhook.enable": press("Enable again"),
    "older.load": press(() => button("Older") ?? button("Try older ones again")),
  },
  see(state) {
    const { context } = state;
    expect(seen("The deliveries could not be read.")).toEqual(state.matches({ list: "loadFailed" }));
    expect(screen.queryAllByRole("listitem")).toHaveLength(context.webhook === null ? 0 : context.items.length);
    expect(seen("This webhook was deleted.")).toEqual(state.matches({ list: "shown" }) && context.webhook === null);
    expect(seen(/It did not answer for three days\./)).toEqual(context.webhook?.enabled === false);
    expect(screen.queryByRole("region", { name: "Body" })?.textContent?.includes('"text": "Hello"') ?? false).toEqual(
      context.opened !== null,
    );
    expect(seen("Older deliveries could not be read.")).toEqual(
      context.next !== null && state.matches({ older: "failed" }),
    );
    expect(seen(context.problem)).toEqual(context.problem !== null);
  },
});
