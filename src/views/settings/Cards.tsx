import type { ReactNode } from "react";
import { Grid } from "../../ui/layout.tsx";

const COLUMNS = {
  even: "repeat(auto-fill, minmax(min(100%, 24rem), 1fr))",
  main: "minmax(0, 3fr) minmax(0, 2fr)",
};

/** Cards of one section: beside each other where there is room, the first wider where it is the `main` one. */
export const Cards = ({ layout, children }: { layout: keyof typeof COLUMNS; children: ReactNode }) => (
  <Grid columns={COLUMNS[layout]} folds={layout === "main"} align="start" gap={4} max="64rem">
    {children}
  </Grid>
);
