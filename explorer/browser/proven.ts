// Functions that tests compare with Python's own in a browser.

export { cutterOf, tokenize } from "./sentence_bar/cutting";
export { makeTrace } from "../views/decoding/component/data";
export { topKStops } from "../views/sampling/component/controls";
export { entropyBits, samplingPipeline } from "../views/sampling/component/pipeline";
export { readPayload } from "./shared/message";
export { fixed, formatProbability } from "./shared/numbers";
export { visible } from "./shared/text";
