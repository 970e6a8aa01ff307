// Runs once, when the bundle is loaded.

import { listenForScreen } from "./screen/screen";
import { listenForLesson } from "./shared/lesson_keys";

listenForLesson();
listenForScreen();
