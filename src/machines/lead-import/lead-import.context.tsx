import { createMachineContext } from "../kit/context.tsx";
import { type LeadImportSnapshot, leadImportMachine } from "./lead-import.machine.ts";

const LeadImport = createMachineContext(leadImportMachine, (chart) => ({
  chooseFile: (file: File | null, fields: Readonly<Record<string, string>>) =>
    chart.send({ type: "file.choose", file, fields }),
  changeTarget: (header: string, target: string) => chart.send({ type: "mapping.change", header, target }),
  tryImport: () => chart.send({ type: "import.try" }),
  runImport: () => chart.send({ type: "import.run" }),
}));

export const LeadImportProvider = LeadImport.Provider;
export const useLeadImport = LeadImport.use;
export const useCanLeadImport = LeadImport.useCan;
/** What a person can do with a file of leads. */
export const useLeadImportEvents = LeadImport.useVerbs;

export const selectPreview = (chart: LeadImportSnapshot) => chart.context.preview;
export const selectMapping = (chart: LeadImportSnapshot) => chart.context.mapping;
export const selectResult = (chart: LeadImportSnapshot) => chart.context.result;
export const selectProblem = (chart: LeadImportSnapshot) => chart.context.problem;
export const selectStep = (chart: LeadImportSnapshot) => chart.value;
