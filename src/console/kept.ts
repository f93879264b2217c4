/** What this browser has kept under the name; null where it keeps nothing, or forbids it. */
export function readKept(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Where the browser forbids it, the choice lasts as long as the page. */
export function keep(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    // Nothing else depends on it.
  }
}
