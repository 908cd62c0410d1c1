import type { AnyStateMachine } from "xstate";

/** Run-time parts of a chart; its states and transitions do not need them. */
const COMPUTED = new Set(["params", "input", "output", "context", "types", "meta"]);

type Plain = null | boolean | number | string | Plain[] | { [key: string]: Plain };

/**
 * Returns a module with one `createMachine({...})`, whose actions, guards, actors and delays are names, for import into Stately's editor
 * and visualizer.
 * @throws if the chart contains unnamed code, with its location; name it in `setup`
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
  if (typeof value !== "object") throw new Error(`${place} contains an unnamed ${typeof value}`);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, entry]) => entry !== undefined && !(COMPUTED.has(key) && !isState(place)))
      .map(([key, entry]) => [key, plainOf(entry, `${place}.${key}`)]),
  );
}

/** Keys below `states` are state names, even if they equal a keyword. */
const isState = (place: string) => place.endsWith(".states");
