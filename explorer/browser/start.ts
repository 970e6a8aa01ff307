// Runs once, when the bundle is loaded. A page that outlives a new version of the app loads a second bundle.

import { listenForScreen } from "./screen/screen";
import { listenForLesson } from "./shared/lesson_keys";

declare global {
  var explorerBundle: AbortController | undefined;
}

globalThis.explorerBundle?.abort();
globalThis.explorerBundle = new AbortController();
listenForLesson();
listenForScreen(globalThis.explorerBundle.signal);
