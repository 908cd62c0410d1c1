import type { AnyStateMachine } from "xstate";

/** What a chart computes while it runs; its states and transitions stand without it. */
const COMPUTED = new Set(["params", "input", "output", "context", "types", "meta"]);

type Plain = null | boolean | number | string | Plain[] | { [key: string]: Plain };

/**
 * A module of one `createMachine({...})` with actions, guards, actors and delays by name alone, which Stately's editor
 * and visualizer import.
 * @throws where the chart holds code without a name, with the place: give it a name in `setup`
 */
export function importableOf(name: string, machine: AnyStateMachine): string {
  const config = plainOf(machine.config, machine.id);
  return `import { createMachine } from "xstate";

// Generated from src/machines/${name}/${name}.machine.ts by \`npm run statecharts\`: import it into Stately's editor or visualizer.
export const ${machine.id} = createMachine(${JSON.stringify(config, null, 2)});
`;
}

function plainOf(value: unknown, place: string): Plain {
  if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return value;
  if (Array.isArray(value)) return value.map((entry, index) => plainOf(entry, `${place}.${index}`));
  if (typeof value !== "object") throw new Error(`${place} holds a ${typeof value} without a name`);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, entry]) => entry !== undefined && !(COMPUTED.has(key) && !isState(place)))
      .map(([key, entry]) => [key, plainOf(entry, `${place}.${key}`)]),
  );
}

/** Below `states` a key is a state's name, whatever it is called. */
const isState = (place: string) => place.endsWith(".states");
