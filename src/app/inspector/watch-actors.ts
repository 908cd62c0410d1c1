import { Actor, type AnyActor, type InspectionEvent } from "xstate";

/**
 * Sends the inspection events of every actor on the page to `inspect`. Development only: it wraps the start of actors, so that no chart,
 * provider or route has to know the inspector.
 */
export function watchEveryActor(inspect: (event: InspectionEvent) => void): () => void {
  const prototype = Actor.prototype as AnyActor;
  // oxlint-disable-next-line typescript/unbound-method -- called with its actor below
  const { start } = prototype;
  prototype.start = function startWatched(this: AnyActor) {
    if (!this.options?.parent) {
      this.system.inspect(inspect);
      inspect({ type: "@xstate.actor", actorRef: this, rootId: this.sessionId });
    }
    return start.call(this);
  };
  return () => {
    prototype.start = start;
  };
}
