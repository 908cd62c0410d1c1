export type Reference = { requirement: string; file: string; title: string };
/** A test of this run; its file is relative to the repository. */
export type Ran = { file: string; title: string; isPassed: boolean };
export function referencesOf(page: string): Reference[];
export function hasTitle(source: string, title: string): boolean;
export function notShown(references: readonly Reference[], ran: readonly Ran[]): string[];
export function readReports(folder: string, root: string): Ran[];
