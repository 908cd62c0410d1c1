export type Answer<T = unknown> = { status: number; body: T; headers: Headers };
type Options = { token?: string | undefined; body?: unknown; headers?: Record<string, string>; redirect?: "manual" };

/** Returns functions that send requests to the server at `url`. */
export function requestsTo(url: string) {
  /** Sends a request; `body` is sent as JSON unless it is form data. */
  const call = async <T = unknown>(method: string, address: string, given: Options = {}): Promise<Answer<T>> => {
    const { token, body, headers, redirect = "follow" } = given;
    const isForm = body instanceof FormData;
    const response = await fetch(url + address, {
      method,
      redirect,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined || isForm ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json") === true && text !== "";
    return { status: response.status, body: (isJson ? JSON.parse(text) : text) as T, headers: response.headers };
  };
  /** Sends a request and returns the body of the response. @throws for a refusal */
  const must = async <T = unknown>(method: string, address: string, given?: Options): Promise<T> => {
    const answer = await call<T>(method, address, given);
    if (answer.status >= 300)
      throw new Error(`${method} ${address} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  return { call, must };
}
