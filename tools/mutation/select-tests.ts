import { readFileSync } from "node:fs";
import path from "node:path";
import { type Area, FOLDERS, sourceFiles } from "./mutant.ts";

const TEST_FOLDERS = ["machines", "views", "services", "domain", "server"].map((name) => `tests/${name}`);
/** The projects that run completely for a mutant that nearby tests did not kill. */
const WHOLE: Record<Area, readonly string[]> = {
  charts: ["tests/machines", "tests/views", "tests/services"],
  views: ["tests/views", "tests/services"],
  services: ["tests/services", "tests/views"],
  domain: TEST_FOLDERS,
  server: ["tests/server"],
};

const isIn = (file: string, folders: readonly string[]): boolean =>
  folders.some((folder) => file.startsWith(`${folder}/`));

const isTest = (file: string): boolean => /\.test\.tsx?$/.test(file) && isIn(file, TEST_FOLDERS);

/** Returns the files that each file of the tree imports, relative to the root. */
function readImports(root: string): Map<string, string[]> {
  const files = ["src", "domain", "server", "sandbox", "tests"].flatMap((folder) => sourceFiles(root, folder));
  return new Map(
    files.map((file) => {
      const text = readFileSync(path.join(root, file), "utf8");
      const names = [...text.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)].map(([, name = ""]) => name);
      return [file, names.map((name) => path.posix.join(path.posix.dirname(file), name))];
    }),
  );
}

/**
 * Returns a function that lists the test files that may detect a change of a file, in three phases: the closest ones, those next to them
 * (for the server: owner isolation and the loop from message to follow-up), and all others of its area.
 */
export function createTestSelector(root: string): (area: Area, file: string) => string[][] {
  const imports = readImports(root);
  const tests = [...imports.keys()].filter(isTest);

  /** Returns everything a file imports, including itself; optionally only through test helpers. */
  function reachedFrom(file: string, isOnlyHelpers = false): Set<string> {
    const reached = new Set([file]);
    for (const known of reached)
      if (!isOnlyHelpers || isIn(known, ["tests"])) for (const next of imports.get(known) ?? []) reached.add(next);
    return reached;
  }

  const reachable = new Map(tests.map((test) => [test, reachedFrom(test)]));
  const direct = new Map(tests.map((test) => [test, reachedFrom(test, true)]));

  /** Returns the test folders of the server features that import a file. */
  const featuresUsing = (file: string): string[] =>
    [...imports].flatMap(([user, known]) =>
      user.startsWith("server/") && known.includes(file) ? [`tests/server/${user.split("/")[1] ?? ""}`] : [],
    );

  function nearTests(area: Area, file: string, reaching: readonly string[]): string[] {
    const folder = path.posix.dirname(file);
    const isDirect = (test: string) => direct.get(test)?.has(file) ?? false;
    if (area === "server") {
      const own = `tests/server/${file.split("/")[1] ?? ""}`;
      return reaching.some((test) => isIn(test, [own]))
        ? reaching.filter((test) => isIn(test, [own]))
        : reaching.filter(isDirect);
    }
    if (area === "domain") return reaching.filter((test) => isIn(test, ["tests/domain"]) || isDirect(test));
    if (folder === FOLDERS[area]) return reaching.filter(isDirect);
    const name = path.posix.basename(folder);
    return reaching.filter(
      (test) =>
        path.posix.basename(test).startsWith(`${name}.`) ||
        [...(direct.get(test) ?? [])].some((known) => path.posix.dirname(known) === folder),
    );
  }

  return (area, file) => {
    const whole = tests.filter((test) => isIn(test, WHOLE[area]));
    // A server test may start the server as a process, which imports do not show.
    const reaching = whole.filter((test) => isIn(test, ["tests/server"]) || reachable.get(test)?.has(file));
    const second =
      area === "domain"
        ? reaching.filter((test) => !isIn(test, ["tests/server"]) || isIn(test, featuresUsing(file)))
        : area === "server"
          ? reaching.filter((test) => isIn(test, ["tests/server/isolation"]) || /\/loop\.(both\.)?test\.ts$/.test(test))
          : [];
    const phases = [nearTests(area, file, reaching), second, reaching];
    return phases.map((files, index) =>
      files.filter((test) => !phases.slice(0, index).some((before) => before.includes(test))),
    );
  };
}
