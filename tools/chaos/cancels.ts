// npm run chaos -- cancels: cancels bulk messages at random moments; no message may start after the response. CANCELS and CANCEL_SEED
// choose how many and when.
import { randomStream } from "../../tests/support/seed.ts";
import { openHouse, pause } from "./house.ts";
import { Seller } from "./seller.ts";

const LEADS = 30;
const THROTTLE_SECONDS = 0.1;
/** Longer than several throttles, so anything still to be sent would have started. */
const WATCHED_MS = 500;

const cancels = Number(process.env["CANCELS"] ?? 200);
const seed = Number(process.env["CANCEL_SEED"] ?? Date.now() % 1_000_000);
const print = (line: string) => console.log(`cancels · ${line}`);

print(`seed ${seed}`);
const random = randomStream(seed);
const figures = { cancels: 0, delivered: 0, inFlight: 0, afterTheAnswer: 0, twice: 0 };
const house = await openHouse({ databaseUrl: null, workers: 0 });
try {
  const seller = await Seller.join(house, 1);
  await seller.meetPeople(LEADS);
  for (; figures.cancels < cancels; figures.cancels += 1) {
    const text = `Cancel ${figures.cancels}`;
    const sent = async () => (await seller.delivered()).filter((message) => message.text === text);
    await seller.startBulk(text, THROTTLE_SECONDS);
    await pause(random() * LEADS * THROTTLE_SECONDS * 800);
    await seller.cancel();
    const atAnswer = (await sent()).length;
    await pause(WATCHED_MS);
    const messages = await sent();
    figures.delivered += messages.length;
    // One message may be in flight when the response is sent.
    if (messages.length === atAnswer + 1) figures.inFlight += 1;
    else figures.afterTheAnswer += messages.length - atAnswer;
    figures.twice += messages.length - new Set(messages.map(({ to_user_id: id }) => id)).size;
    if (figures.cancels % 20 === 19) print(JSON.stringify(figures));
  }
} finally {
  await house.close();
}
console.table(figures);
const isGood = figures.afterTheAnswer + figures.twice === 0;
print(isGood ? "no message was started after the response" : "FAILED");
process.exitCode = isGood ? 0 : 1;
