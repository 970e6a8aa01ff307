// Saves a file that the server has made.

export function saveFile(content: Uint8Array, name: string): void {
  const link = document.createElement("a"),
    address = URL.createObjectURL(new Blob([new Uint8Array(content)]));
  link.href = address;
  link.download = name;
  link.click();
  // The browser has taken it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
