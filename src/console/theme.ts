import { signal } from '@preact/signals';
import { readStored, store } from './stored';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const STORED_AS = 'dueday.theme';

export const theme = signal<Theme>(storedTheme());

/** The system's theme by default. */
function storedTheme(): Theme {
  const found = readStored(STORED_AS);
  return THEMES.find((each) => each === found) ?? 'system';
}

export function applyTheme(): void {
  const { documentElement } = document;
  if (theme.value === 'system') delete documentElement.dataset['theme'];
  else documentElement.dataset['theme'] = theme.value;
}

export function chooseTheme(next: Theme): void {
  theme.value = next;
  store(STORED_AS, next);
  applyTheme();
}
