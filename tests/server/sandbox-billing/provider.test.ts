import { EventEmitter, once } from "node:events";
import fs from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { Stripe } from "stripe";
import { afterAll, expect, test } from "vitest";
import { startCardProvider } from "../../../sandbox/billing/provider.ts";
import { createWork } from "../../../server/core/work.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";

const dir = fs.mkdtempSync(path.join(os.tmpdir(), "leadloom-cards-"));
let status = 500;
let heard: { type: string; data: { object: { id: string } } }[] = [];
const news = new EventEmitter();
const shop = http.createServer((request, response) => {
  void text(request).then((body) => {
    heard.push(JSON.parse(body) as (typeof heard)[number]);
    response.writeHead(status).end();
    news.emit("heard");
  });
});
afterAll(() => {
  shop.close();
  fs.rmSync(dir, { recursive: true, force: true });
});

const sdk = (at: { host: string; port: number }) =>
  new Stripe("sk_test_simulated", { ...at, protocol: "http", telemetry: false, maxNetworkRetries: 0 });

test("keeps its books over a restart and delivers what was not heard", async () => {
  await new Promise<void>((resolve) => shop.listen(0, "127.0.0.1", resolve));
  const work = createWork();
  const options = {
    dir,
    work,
    clock: createVirtualClock(work, Date.now()),
    webhookUrl: () => `http://127.0.0.1:${(shop.address() as AddressInfo).port}/webhooks/stripe`,
    webhookSecret: "whsec_of_the_test",
    publicUrl: () => "http://127.0.0.1:9",
  };
  const first = await startCardProvider(options);
  const add = (of: typeof first) =>
    sdk({ host: of.host, port: of.port }).customers.create(
      { email: "ann@example.com" },
      { idempotencyKey: "before the end" },
    );
  const hearing = once(news, "heard");
  const made = await add(first);
  await hearing;
  await first.close();
  [status, heard] = [200, []];
  const hearingAgain = once(news, "heard");
  const again = await startCardProvider(options);
  expect(again.port).toBe(first.port);
  await hearingAgain;
  expect(heard).toMatchObject([{ type: "customer.created", data: { object: { id: made.id } } }]);
  expect((await add(again)).id).toBe(made.id);
  await again.close();
});
