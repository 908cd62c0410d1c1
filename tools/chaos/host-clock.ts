// Loaded into a process before the product (--import): shifts the clocks of its simulated host. The file in HOST_CLOCK contains two
// doubles, the offsets in ms of the wall clock and of the monotonic clock, which stops while a host sleeps.
import fs from "node:fs";

const file = fs.openSync(process.env["HOST_CLOCK"] ?? "", "r");
const ahead = new Float64Array(2);
const aheadBy = (clock: 0 | 1): number => {
  fs.readSync(file, ahead, 0, ahead.byteLength, 0);
  return ahead[clock] ?? 0;
};
const [wall, steady] = [Date.now, performance.now.bind(performance)];

Date.now = () => wall() + aheadBy(0);
performance.now = () => steady() + aheadBy(1);
globalThis.Date = new Proxy(Date, {
  construct: (target, given: unknown[], made) =>
    Reflect.construct(target, given.length === 0 ? [Date.now()] : given, made) as Date,
});
