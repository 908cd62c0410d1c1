import type { Lead } from "../../../domain/lead.ts";
import type { PaletteSnapshot } from "./palette.machine.ts";

export const selectQuery = (palette: PaletteSnapshot) => palette.context.query;
export const selectKnown = (palette: PaletteSnapshot) => palette.context.known;
/** Whom the server named for exactly what is typed; null while it has not. */
export const selectFound = (palette: PaletteSnapshot): readonly Lead[] | null =>
  palette.context.found !== null && palette.context.found.query === palette.context.query.trim()
    ? palette.context.found.people
    : null;
export const selectIsBusy = (palette: PaletteSnapshot) => palette.hasTag("busy");
export const selectIsUnread = (palette: PaletteSnapshot) => palette.matches("unread");
