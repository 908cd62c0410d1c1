import type { ReactNode } from "react";
import { Grid } from "../../ui/layout.tsx";

const COLUMNS = {
  even: "repeat(auto-fill, minmax(min(100%, 24rem), 1fr))",
  main: "minmax(0, 3fr) minmax(0, 2fr)",
};

/** The cards of one section: side by side if there is room, the first one wider in the `main` layout. */
export const Cards = ({ layout, children }: { layout: keyof typeof COLUMNS; children: ReactNode }) => (
  <Grid columns={COLUMNS[layout]} folds={layout === "main"} align="start" gap={4} max="64rem">
    {children}
  </Grid>
);
