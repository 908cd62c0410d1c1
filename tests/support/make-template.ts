import { testDatabase } from "./database.ts";

/** Makes the schema that all stores of server tests are copied from, before any test's time begins. */
export default async function makeTemplate(): Promise<void> {
  const { drop } = await testDatabase();
  await drop();
}
