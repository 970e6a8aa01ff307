// Ends a view's script: leaves it where the view's own messages, which do not carry it, find it.

import { slotOf } from "./slots";
import type { KeptScript } from "./take";

// Written into the script by Python: the view before this text, and its style.
declare const view: KeptScript["view"];
declare const STYLE: string;

const sheet = new CSSStyleSheet();
sheet.replaceSync(STYLE);
slotOf<KeptScript>("NAME").give({ view, sheet });
