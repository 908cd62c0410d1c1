import type { Auth } from "./auth.ts";
import { type DataGateway, createData } from "./data.ts";
import { fetchAs } from "./fetch-as.ts";

/** Reads of rows on the page's origin, in the name of whoever is signed in at the moment. */
export const createOwnData = (auth: Pick<Auth, "accessToken" | "refresh">): DataGateway =>
  createData({ url: `${window.location.origin}/rest/v1`, fetch: fetchAs(auth) });
