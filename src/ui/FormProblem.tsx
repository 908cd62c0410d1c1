import { type TextNode, useTranslateNode } from "#language";
import { Text } from "./layout.tsx";
import css from "./FormProblem.module.css";

/** What is wrong with a form as a whole, in red; announced when it appears. */
export function FormProblem({ children }: { children: TextNode }) {
  const translate = useTranslateNode();
  return (
    <Text as="div" tone="bad" weight="firm" role="alert" className={css["problem"]}>
      {translate(children)}
    </Text>
  );
}
