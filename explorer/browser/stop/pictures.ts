// The pictures that there are, by the names that Python calls them.

import { attention } from "./attention";
import type { Picture } from "./board";
import { byHand } from "./by_hand";
import type { PictureName } from "./data";
import { embedding } from "./embedding";
import { feedForward } from "./feed_forward";
import { masks } from "./masks";
import { norm } from "./norm";
import { output } from "./output";
import { positions } from "./positions";

export const PICTURES: Record<PictureName, Picture> = {
  attention,
  "by-hand": byHand,
  "feed-forward": feedForward,
  norm,
  embedding,
  output,
  masks,
  positions,
};
