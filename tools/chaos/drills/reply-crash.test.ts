import { afterAll, beforeAll, expect, it } from "vitest";
import { openHouse, type House } from "../house.ts";
import { Seller, until } from "../seller.ts";

let house: House;
let seller: Seller;
beforeAll(async () => {
  house = await openHouse({ databaseUrl: null, workers: 0 });
  seller = await Seller.join(house, 1);
  await seller.meetPeople(3);
}, 240_000);
afterAll(() => house.close());

const CUTS = [
  ["before Telegram receives it", { error: "SLOW_2000" }, false],
  ["after Telegram received it, before the response", { error: "SLOW_2000", after_delivery: true }, true],
  ["after Telegram received it, with a lost response", { error: "TIMEOUT", after_delivery: true }, true],
] as const;

it.each(CUTS.map((cut, index) => [...cut, index] as const))(
  "delivers a reply once and shows it as sent when kill -9 comes %s",
  { timeout: 240_000 },
  async (_name, fault, hasArrived, index) => {
    const lead = (await seller.leads())[index]?.id ?? "";
    const text = `Answer ${index}`;
    const arrived = async () => (await seller.delivered()).filter((sent) => sent.text === text).length;
    await seller.fail(fault);
    expect((await seller.reply(lead, text, `key-${index}`)).status).toEqual(201);
    if (hasArrived) await until(async () => (await arrived()) === 1, "the message at Telegram");
    else
      await until(async () => (await seller.conversation(lead))[0]?.state === "sending", "the message to be sending");
    await house.web.kill();
    house.web.start();
    await house.web.ready();
    expect((await seller.reply(lead, text, `key-${index}`)).status).toEqual(201);
    await until(async () => (await seller.conversation(lead))[0]?.state === "sent", "the message shown as sent");
    const talk = await seller.conversation(lead);
    expect(talk.map(({ source, state }) => [source, state])).toEqual([
      ["reply", "sent"],
      ["them", "received"],
    ]);
    expect(await arrived()).toEqual(1);
  },
);
