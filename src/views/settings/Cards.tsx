import type { ReactNode } from "react";
import css from "./Cards.module.css";

/** Cards of one section: beside each other where there is room, the first wider where it is the `main` one. */
export const Cards = ({ layout, children }: { layout: "even" | "main"; children: ReactNode }) => (
  <div className={layout === "main" ? css["main"] : css["even"]}>{children}</div>
);
