// The pictures that there are, by the names that Python calls them.

import { attention } from "./attention";
import { feedForward } from "./feed_forward";
import type { Picture } from "./board";
import type { PictureName } from "./data";

export const PICTURES: Record<PictureName, Picture> = { attention, "feed-forward": feedForward, norm: attention, embedding: attention, output: attention };
