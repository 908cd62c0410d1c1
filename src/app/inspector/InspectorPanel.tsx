import { useState, useSyncExternalStore } from "react";
import type { ActorLog, LoggedEvent, WatchedActor } from "./actor-log.ts";
import { Box, Note, Row, Stack, Span } from "../../ui/layout.tsx";
import { ChartPicture } from "./ChartPicture.tsx";
import css from "./InspectorPanel.module.css";

/** The panel at the bottom of the page: the live actors, the selected actor's chart with its state highlighted, and its events. */
export function InspectorPanel({ log, onClose }: { log: ActorLog; onClose: () => void }) {
  const { actors, events } = useSyncExternalStore(log.subscribe, log.read);
  const [chosen, setChosen] = useState<string | null>(null);
  const [isFolded, setIsFolded] = useState(false);
  const machines = actors.filter(({ machineId }) => machineId !== null);
  const current = machines.find(({ sessionId }) => sessionId === chosen) ?? machines.at(-1);
  return (
    <aside className={css["panel"]} data-folded={isFolded ? "" : undefined} aria-label="Inspector">
      <Row as="header" gap={3} pad={[1, 3]} className={css["head"]}>
        <strong>Inspector</strong>
        <Note as="span" share="rest">
          {machines.length} machines live
        </Note>
        <button type="button" onClick={() => setIsFolded(!isFolded)} aria-expanded={!isFolded}>
          {isFolded ? "Unfold" : "Fold"}
        </button>
        <button type="button" onClick={onClose}>
          Close
        </button>
      </Row>
      {!isFolded && (
        <div className={css["body"]}>
          <ActorList actors={actors} current={current} onChoose={setChosen} />
          <Box pad={2} className={css["part"]}>
            {current?.machineId != null && (
              <ChartPicture key={current.machineId} machineId={current.machineId} activeIds={current.activeIds} />
            )}
          </Box>
          <EventList events={events} current={current} />
        </div>
      )}
    </aside>
  );
}

type ActorListProps = {
  actors: readonly WatchedActor[];
  current: WatchedActor | undefined;
  onChoose: (sessionId: string) => void;
};

function ActorList({ actors, current, onChoose }: ActorListProps) {
  const known = new Set(actors.map(({ sessionId }) => sessionId));
  const tops = actors.filter(({ parentId }) => parentId === null || !known.has(parentId));
  return (
    <Box pad={2} className={`${css["part"]} ${css["actors"]}`} role="group" aria-label="Live actors">
      <ActorBranch branch={tops} actors={actors} current={current} onChoose={onChoose} />
    </Box>
  );
}

function ActorBranch({ branch, actors, current, onChoose }: ActorListProps & { branch: readonly WatchedActor[] }) {
  return (
    <ul>
      {branch.map(({ sessionId, name, about, machineId, state }) => {
        const children = actors.filter(({ parentId }) => parentId === sessionId);
        return (
          <li key={sessionId}>
            {machineId === null ? (
              <Note as="i" clamp={1} pad={[0, 2]}>
                {name}
              </Note>
            ) : (
              <Stack
                as="button"
                pad={[1, 2]}
                type="button"
                aria-pressed={sessionId === current?.sessionId}
                onClick={() => onChoose(sessionId)}
              >
                <strong>{name}</strong>
                {about !== "" && <Span clamp={1}>{about}</Span>}
                <Note as="span">{state}</Note>
              </Stack>
            )}
            {children.length > 0 && (
              <ActorBranch branch={children} actors={actors} current={current} onChoose={onChoose} />
            )}
          </li>
        );
      })}
    </ul>
  );
}

function EventList({ events, current }: { events: readonly LoggedEvent[]; current: WatchedActor | undefined }) {
  const [isMine, setIsMine] = useState(false);
  const shown = isMine ? events.filter(({ sessionId }) => sessionId === current?.sessionId) : events;
  return (
    <Box as="section" pad={2} className={`${css["part"]} ${css["log"]}`} aria-label="Event log">
      <label>
        <input type="checkbox" checked={isMine} onChange={(event) => setIsMine(event.target.checked)} /> Only{" "}
        {current?.name ?? "the chosen actor"}
      </label>
      <details>
        <summary>Context of {current?.name}</summary>
        <pre>{JSON.stringify(current?.context, null, 1)}</pre>
      </details>
      <ol reversed>
        {shown.toReversed().map(({ number, actor, type, payload }) => (
          <li key={number} value={number}>
            <span>{actor}</span> <strong>{type}</strong> <code>{payloadText(payload)}</code>
          </li>
        ))}
      </ol>
    </Box>
  );
}

function payloadText(payload: unknown): string {
  const text = JSON.stringify(payload) ?? "";
  return text === "{}" ? "" : text.slice(0, 300);
}
