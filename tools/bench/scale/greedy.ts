// A subscriber who asks for the same page over and over, in a thread of its own: what it costs to take in 40 MB is no part of what others are
// answered. Says how each answer ended, and stops when told so, after the answer that it is at.
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
