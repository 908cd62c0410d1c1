import { Banner } from "../../ui/Banner.tsx";
import css from "./Shell.module.css";

/** Says on every screen that there is no network. */
export const OfflineBanner = () => (
  <div className={css["banner"]}>
    <Banner tone="warn">You are offline. What you type is kept.</Banner>
  </div>
);
