// Makes the search work on pages opened from the disk, where browsers refuse to start a web worker: the worker's script
// runs in a hidden frame instead. The theme would load a script with this name from another host.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      frame.srcdoc =
        "<script>postMessage = (data) => frameElement.dispatchEvent(new CustomEvent('reply', { detail: data }))</script>" +
        `<script src="${url}"></script>`;
      frame.addEventListener("reply", (event) =>
        this.dispatchEvent(new MessageEvent("message", { data: event.detail })),
      );
      const loaded = new Promise((resolve) => frame.addEventListener("load", resolve));
      this.postMessage = async (data) => {
        await loaded;
        frame.contentWindow.dispatchEvent(new MessageEvent("message", { data }));
      };
      document.body.append(frame);
    }
  };
}
