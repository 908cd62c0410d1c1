import type { Plugin } from "vite";

type Part = { type: string; code?: string; source?: unknown; viteMetadata?: { importedCss: Set<string> } };

/**
 * Each script brings the styles of its own components and adopts them before it runs: a screen asks for one file instead
 * of two and is never shown without them. The page's policy allows adopted sheets, not inline ones.
 */
export const stylesInScripts = (): Plugin => ({
  name: "styles-in-scripts",
  apply: "build",
  generateBundle(_options, bundle) {
    const parts = bundle as unknown as Record<string, Part>;
    for (const part of Object.values(parts)) {
      const files = [...(part.viteMetadata?.importedCss ?? [])];
      if (part.type !== "chunk" || files.length === 0) continue;
      const styles = files.map((file) => String(parts[file]?.source)).join("");
      part.code = `${adopt(styles)}${part.code}`;
      part.viteMetadata?.importedCss.clear();
    }
    for (const file of Object.keys(parts)) if (file.endsWith(".css")) delete parts[file];
  },
});

const adopt = (styles: string) =>
  `{const s=new CSSStyleSheet();s.replaceSync(${JSON.stringify(styles.trim())});document.adoptedStyleSheets.push(s)}`;
