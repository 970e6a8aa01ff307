// Ends a view's script: leaves it where the view's own messages, which do not carry it, find it.
{
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  slotOf("NAME").give({ view, sheet });
}
export default function () {}
