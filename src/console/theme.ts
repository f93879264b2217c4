import { signal } from '@preact/signals';
import { keep, readKept } from './kept';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const KEPT_AS = 'dueday.theme';

export const theme = signal<Theme>(kept());

/** A browser that keeps nothing has the system's theme. */
function kept(): Theme {
  const found = readKept(KEPT_AS);
  return THEMES.find((each) => each === found) ?? 'system';
}

export function applyTheme(): void {
  const { documentElement } = document;
  if (theme.value === 'system') delete documentElement.dataset['theme'];
  else documentElement.dataset['theme'] = theme.value;
}

export function chooseTheme(next: Theme): void {
  theme.value = next;
  keep(KEPT_AS, next);
  applyTheme();
}
