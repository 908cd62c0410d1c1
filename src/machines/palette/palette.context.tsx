import { createMachineContext } from "../kit/context.tsx";
import { paletteMachine } from "./palette.machine.ts";

const Palette = createMachineContext(paletteMachine, (palette) => ({
  changeQuery: (query: string) => palette.send({ type: "query.change", query }),
  retryReading: () => palette.send({ type: "reading.retry" }),
}));

export const PaletteProvider = Palette.Provider;
export const usePalette = Palette.use;
/** What a person can do in the palette. */
export const usePaletteEvents = Palette.useVerbs;
