import { createActor } from "xstate";
import { createSelection } from "../machines/selection/selection.machine.ts";
import { readBatch } from "../machines/selection/selection.memory.ts";
import { createBatchGateway } from "../services/batch.ts";
import { batchKey, batchPossible } from "./remembered.ts";
import { memoizeByServices, onSignOut } from "./lifetime.ts";
import { createFlag, createSignal } from "../services/signal.ts";

/** One chart per page and user: a batch can be watched, stopped and undone on any screen, also after a reload. */
export const selectionOf = memoizeByServices((services) => {
  const { http, sessionStorage, clock } = services;
  const key = batchKey(services.userId());
  const changed = createSignal();
  const logic = createSelection(services, {
    batch: createBatchGateway(http, clock.now),
    memory: {
      write: (work) => sessionStorage.set(key, JSON.stringify(work)),
      clear: () => sessionStorage.remove(key),
    },
    onChanged: changed.notify,
  });
  const input = { remembered: readBatch(sessionStorage.get(key)) };
  // Not while a view renders.
  queueMicrotask(batchPossible.raise);
  const selection = createActor(logic, { input }).start();
  onSignOut(services, () => selection.stop());
  return {
    selection,
    changed,
    /** Whether the list shows the batch itself. */
    bar: createFlag(),
  };
});
