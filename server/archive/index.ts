export { createImportGuard } from "./orders.ts";
export { registerArchive } from "./routes.ts";
export { END_SILENT_IMPORTS, endSilentImports } from "./run.ts";
export { archiveOf } from "./write.ts";
