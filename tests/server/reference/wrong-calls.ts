import { createLeadloom } from "../../../client/index.ts";

/** Calls that must not compile: the type check fails where one of them does. */
export async function wrongCalls(): Promise<void> {
  const client = createLeadloom({ url: "http://127.0.0.1:3000", key: "llk_" });
  const params = { path: { id: "5b1f0c8e-3f0a-4c53-9a55-0a2f3c1d7e01" } };
  // @ts-expect-error there is no such call
  await client.GET("/api/leeds");
  // @ts-expect-error a view is one of three
  await client.GET("/api/inbox", { params: { query: { view: "everyone" } } });
  // @ts-expect-error a limit is a number
  await client.GET("/api/inbox", { params: { query: { limit: "ten" } } });
  // @ts-expect-error the lead's id is missing
  await client.GET("/api/leads/{id}");
  // @ts-expect-error an unknown field of a body
  await client.POST("/api/tags", { body: { name: "VIP", colour: "#1f8a4c" } });
  // @ts-expect-error a tag needs a name
  await client.POST("/api/tags", { body: { color: "#1f8a4c" } });
  // @ts-expect-error a value of another type
  await client.PATCH("/api/settings", { body: { dry_run: "yes" } });
  // @ts-expect-error nothing of a lead is changed by PUT
  await client.PUT("/api/leads/{id}", { params, body: { notes: null } });
  const { data } = await client.GET("/api/leads/{id}", { params });
  // @ts-expect-error an unknown field of an answer
  await Promise.resolve(data?.phone);
}
