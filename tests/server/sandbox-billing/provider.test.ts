import { Stripe } from "stripe";
import { afterAll, expect, test } from "vitest";
import { startCardProvider } from "../../../sandbox/billing/provider.ts";
import { createWork } from "../../../server/core/work.ts";
import { openReceiver } from "../../support/receiver.ts";
import { newFolder } from "../../support/run-folder.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";
import { untilIdle } from "../../support/waiting.ts";

const dir = newFolder();
const receiver = await openReceiver();
afterAll(() => receiver.close());

type Provider = Awaited<ReturnType<typeof startCardProvider>>;
const add = ({ host, port }: Provider) =>
  new Stripe("sk_test_simulated", {
    host,
    port,
    protocol: "http",
    telemetry: false,
    maxNetworkRetries: 0,
  }).customers.create({ email: "ann@example.com" }, { idempotencyKey: "before the end" });

test("keeps its data across a restart, and redelivers failed webhooks", async () => {
  const work = createWork();
  const options = {
    dir,
    work,
    clock: createVirtualClock(work, Date.now()),
    webhookUrl: () => receiver.urlOf("/webhooks/stripe"),
    webhookSecret: "whsec_of_the_test",
    publicUrl: () => "http://127.0.0.1:9",
  };
  receiver.answer("/webhooks/stripe", 500);
  const first = await startCardProvider(options);
  const made = await add(first);
  await untilIdle(work);
  expect(receiver.received.map(({ status }) => status)).toEqual([500]);
  await first.close();
  receiver.heal();
  const again = await startCardProvider(options);
  expect(again.port).toBe(first.port);
  await untilIdle(work);
  const event = { type: "customer.created", data: { object: { id: made.id } } };
  expect(receiver.taken().map(({ body }) => body)).toMatchObject([event]);
  expect((await add(again)).id).toBe(made.id);
  await again.close();
});
