import { inject } from "vitest";

const url = inject("postgresUrl");
if (url === null) delete process.env["TEST_DATABASE_URL"];
else process.env["TEST_DATABASE_URL"] = url;
process.env["TMPDIR"] = inject("runFolder");
