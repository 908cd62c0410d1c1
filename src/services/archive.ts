import { parse } from "valibot";
import { AccountImport } from "../../domain/archive.ts";
import { nullOn } from "../../domain/problem.ts";
import type { Http } from "./http.ts";

const PATH = "/account/import";

export const createArchiveGateway = (http: Http) => ({
  downloadArchive: async (signal: AbortSignal): Promise<Blob> => {
    const data = await http<Blob>("/account/export", { query: { format: "zip" }, isFile: true, signal });
    if (!(data instanceof Blob)) throw new Error("the answer was no file");
    return data;
  },

  /** The latest import; null before the first, and if the server does not know the call. */
  readImport: (signal: AbortSignal): Promise<AccountImport | null> =>
    http(PATH, { signal }).then((answer) => parse(AccountImport, answer), nullOn(404)),

  sendArchive: async (file: File): Promise<AccountImport> => {
    const body = new FormData();
    body.set("file", file, file.name);
    return parse(AccountImport, await http(PATH, { method: "POST", body }));
  },

  /** Cancels the running import. The server then removes what it imported; the next read shows that. */
  stopImport: async (): Promise<AccountImport> => parse(AccountImport, await http(PATH, { method: "DELETE" })),
});
