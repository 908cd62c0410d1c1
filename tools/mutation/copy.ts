import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

export type Copy = { root: string; commit: string; remove(): void };

/** Checks a commit out into a temporary folder, with hard links to the installed packages. */
export function createCopy(repository: string, commit: string): Copy {
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-C", repository, ...args], { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] }).trim();
  const folder = mkdtempSync(path.join(tmpdir(), "mutants-copy-"));
  const root = path.join(folder, "tree");
  git("worktree", "add", "--detach", "--quiet", root, commit);
  execFileSync("cp", ["-al", path.join(repository, "node_modules"), path.join(root, "node_modules")]);
  // Tools write caches in place, so a hard link would change the repository's own.
  for (const cache of [".cache", ".vite", ".vite-temp"])
    rmSync(path.join(root, "node_modules", cache), { recursive: true, force: true });
  const remove = () => {
    git("worktree", "remove", "--force", root);
    rmSync(folder, { recursive: true, force: true });
  };
  return { root, commit: git("rev-parse", commit), remove };
}
