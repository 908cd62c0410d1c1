import { createContext } from "react";

/** Whether the browser has no network. One notice says so, and marks of failed reads are left out. */
export const OfflineContext = createContext(false);
