/** Saves text as a file through a link to a Blob: no `downloads` permission, and nothing leaves the machine. */
let lastUrl: string | undefined;

/** @returns the file's name. */
export function saveText(name: string, text: string): string {
  // The former URL goes only now: revoking straight after the click can lose the download while Firefox asks where to save it.
  if (lastUrl !== undefined) URL.revokeObjectURL(lastUrl);
  lastUrl = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = lastUrl;
  link.download = name;
  link.click();
  return name;
}
