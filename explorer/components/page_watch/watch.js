// What is watched for as long as the page is open: its connection, its colours, and the keys of a lesson.

export default function ({ parentElement, setTriggerValue }) {
  watchConnection();
  listenForLesson();
  const now = themeOf(parentElement.querySelector("span"));
  // Charts are made in Python, for the colours that the browser told with its last message.
  if (globalThis.explorerColours && globalThis.explorerColours !== now) setTriggerValue("colours", now);
  globalThis.explorerColours = now;
}
