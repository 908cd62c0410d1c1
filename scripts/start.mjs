// npm start: installs what is missing, builds what has changed, runs the product.
import { ensureWebBuild } from "./build.mjs";
import { ensureDependencies, requireNode, runForever, runtimeNode } from "./setup.mjs";

requireNode();
ensureDependencies();
await ensureWebBuild();
runForever(runtimeNode(), ["--disable-warning=ExperimentalWarning", "server/main.ts", ...process.argv.slice(2)]);
