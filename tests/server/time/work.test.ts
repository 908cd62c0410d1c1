import { expect, test } from "vitest";
import { createWork } from "../../../server/core/work.ts";

/** Whether the promise has settled after a turn of the event loop. */
async function hasSettled(promise: Promise<unknown>): Promise<boolean> {
  let isOver = false;
  void promise.finally(() => (isOver = true));
  await new Promise(setImmediate);
  return isOver;
}

test("is settled once all started work has ended", async () => {
  const work = createWork();
  await work.settled();
  const write = Promise.withResolvers<number>();
  const end = work.begin("read");
  const written = work.track("write", write.promise);
  expect(work.inFlight()).toEqual(["read", "write"]);
  const settled = work.settled();
  end();
  end();
  expect(await hasSettled(settled)).toBe(false);
  write.resolve(7);
  expect(await written).toBe(7);
  await settled;
  await expect(work.track("fail", Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(work.inFlight()).toEqual([]);
});

test("does not count work that waits for another party until the wait is over", async () => {
  const work = createWork();
  const [news, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const answer = async () => {
    await work.pauseFor(news.promise);
    await done.promise;
  };
  void work.track("answer", answer());
  await work.idle();
  news.resolve();
  await new Promise(setImmediate);
  const idle = work.idle();
  expect(await hasSettled(idle)).toBe(false);
  done.resolve();
  await idle;
});

test("counts work in a part and in the whole", async () => {
  const work = createWork();
  const part = work.part("mail");
  const endOther = work.begin("other");
  const end = part.begin("send");
  const news = Promise.withResolvers<void>();
  expect(work.inFlight()).toEqual(["other", "mail: send"]);
  endOther();
  const whole = work.settled();
  const paused = part.pauseFor(news.promise);
  await Promise.all([whole, part.settled()]);
  news.resolve();
  await paused;
  expect(await hasSettled(work.settled())).toBe(false);
  end();
  await Promise.all([work.settled(), part.settled()]);
});

test("is idle only when its sources are empty and their work is done", async () => {
  const work = createWork();
  const inbox = ["one", "two"];
  const done: string[] = [];
  const handle = async (message: string) => {
    await new Promise(setImmediate);
    done.push(message);
  };
  work.watch(() => {
    const message = inbox.shift();
    if (message !== undefined) setImmediate(() => void work.track(message, handle(message)));
    return message === undefined;
  });
  await work.idle();
  expect(done).toEqual(["one", "two"]);
});
