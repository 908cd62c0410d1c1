import css from "./Avatar.module.css";

const HUES = [168, 212, 262, 326, 18, 44];

const hueOf = (id: string) =>
  HUES[Array.from(id).reduce((sum, sign) => sum + (sign.codePointAt(0) ?? 0), 0) % HUES.length];

/** The first letter of each of the first two words; an emoji counts as a letter. */
const initialsOf = (name: string) =>
  name
    .trim()
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => Array.from(word)[0] ?? "")
    .join("")
    .toLocaleUpperCase();

/** A person as a coloured disc with initials; the same person has the same colour everywhere. */
export const Avatar = ({ id, name }: { id: string; name: string }) => (
  <span className={css["avatar"]} style={{ ["--hue" as string]: hueOf(id) }} aria-hidden="true">
    {initialsOf(name) || "?"}
  </span>
);
