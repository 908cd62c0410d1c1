import { createLeadsGateway } from "../services/leads.ts";
import { onceAPage } from "./once-a-page.ts";

/** One for the page: a note may still be on its way when a screen that shows it is entered. */
export const leadsOf = onceAPage((services) => createLeadsGateway(services.http));
