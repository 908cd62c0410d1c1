import { createMachineContext } from "../kit/context.tsx";
import { archiveMachine } from "./archive.machine.ts";

const Archive = createMachineContext(archiveMachine, (chart) => ({
  retry: () => chart.send({ type: "reading.retry" }),
  requestDownload: () => chart.send({ type: "download.request" }),
  chooseFile: (file: File | null) => chart.send({ type: "file.choose", file }),
  startImport: () => chart.send({ type: "import.start" }),
}));

export const ArchiveProvider = Archive.Provider;
export const useArchive = Archive.use;
export const useCanArchive = Archive.useCan;
/** What a person can do with the account as a file. */
export const useArchiveEvents = Archive.useVerbs;
