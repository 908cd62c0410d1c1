import "../../src/ui/tokens.css";
import { files } from "virtual:walks";
import { registered } from "./register.ts";
import { allDescribed } from "./shims/vitest.ts";
import { type Walked, walkScreen } from "./walk.ts";

declare global {
  interface Window {
    /** Walks every screen of the file, in the order in which they stand there. */
    walkFile(file: string): Promise<Walked[]>;
  }
}

window.walkFile = async (file) => {
  await files[file]?.();
  await allDescribed();
  const walked: Walked[] = [];
  for (const walk of registered) walked.push(await walkScreen(walk));
  return walked;
};
