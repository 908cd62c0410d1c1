import { screen } from "@testing-library/react";
import { describe, expect } from "vitest";
import type { AnyMachineSnapshot } from "xstate";
import { WebhookDeliveries } from "../../src/machines/webhook-deliveries/webhook-deliveries.machine.ts";
import { DeliveriesCard } from "../../src/views/doors/DeliveriesCard.tsx";
import { webhookDeliveriesMachine, webhookDeliveriesModel } from "../machines/webhook-deliveries.model.ts";
import { english } from "../support/english.ts";
import { press, toChart } from "../support/gestures.ts";
import { walkEveryView } from "../support/walk-view.tsx";

const button = (name: string | RegExp) => screen.queryByRole("button", { name });
/** By the minute at which the event happened. */
const ofDelivery = (what: string, id: string) => button(new RegExp(`^${what}.*:0${id.slice(1)}`));

const see = (state: AnyMachineSnapshot) => {
  const { context } = state;
  expect(screen.queryByText("The deliveries could not be read.") !== null).toEqual(state.matches({ list: "unread" }));
  expect(screen.queryAllByRole("listitem")).toHaveLength(context.webhook === null ? 0 : context.items.length);
  expect(screen.queryByText("This webhook was deleted.") !== null).toEqual(
    state.matches({ list: "shown" }) && context.webhook === null,
  );
  expect(screen.queryByText(/It did not answer for three days\./) !== null).toEqual(context.webhook?.enabled === false);
  expect(screen.queryByRole("region", { name: "Body" })?.textContent?.includes('"text": "Hello"') ?? false).toEqual(
    context.opened !== null,
  );
  expect(screen.queryByText("Older deliveries could not be read.") !== null).toEqual(
    context.next !== null && state.matches({ older: "failed" }),
  );
  expect(screen.queryByText(english(context.problem ?? "no such words")) !== null).toEqual(context.problem !== null);
};

describe("what a webhook was sent", () => {
  walkEveryView({
    machine: webhookDeliveriesMachine,
    model: webhookDeliveriesModel,
    show(services, options) {
      return (
        <WebhookDeliveries.Provider
          logic={webhookDeliveriesModel.provide(services) as typeof webhookDeliveriesMachine}
          options={options as never}
        >
          <DeliveriesCard />
        </WebhookDeliveries.Provider>
      );
    },
    gestures: {
      "reading.retry": press(() => button("Try again")),
      "reading.refresh": toChart,
      "delivery.open": press(({ id }) => {
        const body = ofDelivery("Body of", id);
        return body?.getAttribute("aria-expanded") === "false" ? body : null;
      }),
      "delivery.close": press(() => screen.queryByRole("button", { name: /^Body of/, expanded: true })),
      "delivery.replay": press(({ id }) => ofDelivery("Send again:", id)),
      "webhook.test": press(() => button("Send a test event")),
      "webhook.enable": press(() => button("Enable again")),
      "older.load": press(() => button("Older") ?? button("Try older ones again")),
    },
    see,
  });
});
