import { createLeadloom } from "../../../client/index.ts";

/** Calls that must not compile: the type check fails if one of them does. */
export async function wrongCalls(): Promise<void> {
  const client = createLeadloom({ url: "http://127.0.0.1:3000", key: "llk_" });
  const params = { path: { id: "5b1f0c8e-3f0a-4c53-9a55-0a2f3c1d7e01" } };
  // @ts-expect-error unknown path
  await client.GET("/api/leeds");
  // @ts-expect-error unknown view
  await client.GET("/api/inbox", { params: { query: { view: "everyone" } } });
  // @ts-expect-error a limit is a number
  await client.GET("/api/inbox", { params: { query: { limit: "ten" } } });
  // @ts-expect-error the lead's id is missing
  await client.GET("/api/leads/{id}");
  // @ts-expect-error unknown body field
  await client.POST("/api/tags", { body: { name: "VIP", colour: "#1f8a4c" } });
  // @ts-expect-error a tag needs a name
  await client.POST("/api/tags", { body: { color: "#1f8a4c" } });
  // @ts-expect-error a value of another type
  await client.PATCH("/api/settings", { body: { dry_run: "yes" } });
  // @ts-expect-error leads have no PUT
  await client.PUT("/api/leads/{id}", { params, body: { notes: null } });
  const { data } = await client.GET("/api/leads/{id}", { params });
  // @ts-expect-error unknown response field
  await Promise.resolve(data?.phone);
}
