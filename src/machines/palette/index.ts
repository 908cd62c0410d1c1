import { createReporter } from "../kit/reporting.ts";
import { type PaletteDeps, createPaletteActors } from "./palette.actors.ts";
import { paletteMachine } from "./palette.machine.ts";

/** The palette over the call that finds people. */
export const createPalette = (deps: PaletteDeps) =>
  paletteMachine.provide({
    actors: createPaletteActors(deps),
    actions: { reportFailure: createReporter(deps.logger) },
  });

export type { PaletteDeps } from "./palette.actors.ts";
export { PaletteProvider, usePalette, usePaletteEvents } from "./palette.context.tsx";
export { paletteMachine } from "./palette.machine.ts";
export * from "./palette.selectors.ts";
