import css from "./ColorDot.module.css";

/** A spot of a colour beside the word it stands for. */
export function ColorDot({ color }: { color: string | null | undefined }) {
  return <span className={css["dot"]} style={color ? { backgroundColor: color } : undefined} aria-hidden="true" />;
}
