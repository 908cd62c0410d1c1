import type { Http, HttpOptions } from "./http.ts";
import { once } from "./lazily.ts";

/**
 * The product API's client whose code comes with the shell's: someone who is not signed in makes no call. Once it is there,
 * calls are made at once.
 */
export function createHttpLater(load: () => Promise<Http>): Http & { loadAhead: () => Promise<void> } {
  let http: Http | null = null;
  const loaded = once(async () => (http = await load()));
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- as declared by Http
  const raw = async <T>(path: string, options?: HttpOptions) => (http ?? (await loaded())).raw<T>(path, options);
  return Object.assign(async <T>(path: string, options?: HttpOptions) => (await raw<T>(path, options)).data, {
    raw,
    /** Fetches the code ahead of the first call and settles when it is there; a failure is that call's. */
    loadAhead: () =>
      loaded().then(
        () => {},
        () => {},
      ),
  });
}
