/** What this browser has stored under the name; null if nothing, or if it forbids storage. */
export function readStored(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** If the browser forbids storage, the setting lasts as long as the page. */
export function store(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    // Only this setting is lost.
  }
}
