// A subscriber who requests the same page in a loop. It runs in its own thread, so that receiving 40 MB does not slow down the measuring
// thread. Stops after the current response when told to, and reports the number of responses by status.
import { once } from "node:events";
import { get } from "node:http";
import { parentPort, receiveMessageOnPort, workerData, type MessagePort } from "node:worker_threads";

const { url, token } = workerData as { url: string; token: string };
const answers: Record<number, number> = {};
const port = parentPort as MessagePort;
while (receiveMessageOnPort(port) === undefined) {
  const request = get(url, { headers: { authorization: `Bearer ${token}` } });
  const [answer] = await once(request, "response");
  answer.resume();
  await once(answer, "end");
  answers[answer.statusCode] = (answers[answer.statusCode] ?? 0) + 1;
}
port.postMessage(answers);
