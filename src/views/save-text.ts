/** Saves text as a file, without the `downloads` permission. */

/** A time as part of a file's name: colons are not allowed there on Windows. @param createdAt - ISO 8601. */
export const fileTime = (createdAt: string): string => createdAt.replaceAll(/[^0-9TZ-]+/g, '-');

let lastUrl: string | undefined;

/** Saves text through a link to a Blob: nothing leaves the machine. @returns the file's name. */
export function saveText(name: string, content: string, type = 'application/json'): string {
  // Revoking it straight after the click can lose the download while Firefox asks where to save it.
  if (lastUrl !== undefined) URL.revokeObjectURL(lastUrl);
  lastUrl = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = lastUrl;
  link.download = name;
  link.click();
  return name;
}
