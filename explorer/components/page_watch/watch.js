// What is watched for as long as the page is open: its connection, its colours, and the keys of a lesson.

export default function ({ parentElement, setTriggerValue }) {
  watchConnection();
  listenForLesson();
  const mark = parentElement.querySelector("span"), now = themeOf(mark);
  // Charts are made in Python, for the colours that the browser told with its last message.
  if (globalThis.explorerColours && globalThis.explorerColours !== now) setTriggerValue("colours", now);
  globalThis.explorerColours = now;
  // Like every view: who looks from outside sees whether it follows the colours already.
  mark.dataset.look = now;
}
