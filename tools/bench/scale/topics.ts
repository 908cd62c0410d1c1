import { idle } from "./idle.ts";
import { keywords } from "./keywords.ts";
import { memory } from "./memory.ts";
import { neighbour } from "./neighbour.ts";
import { planning } from "./planning.ts";
import { rebalance } from "./rebalance.ts";
import { removal } from "./removal.ts";
import type { Topic } from "./topic.ts";

/** In the order of their runs. */
export const topics: readonly Topic[] = [keywords, memory, idle, rebalance, neighbour, planning, removal];
