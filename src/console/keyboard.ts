import { signal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { readStored, store } from './stored';

/** Whether the list of keyboard shortcuts is shown. */
export const isHelpOpen = signal(false);

/** Whether the search is open. */
export const isSearchOpen = signal(false);

/** How many dialogs are open. */
export const openDialogs = signal(0);

export const KEYS: readonly (readonly [key: string, meaning: string])[] = [
  ['/ or Ctrl-K', 'Search everything'],
  ['j', 'Next row'],
  ['k', 'Previous row'],
  ['Enter', 'Open the row'],
  ['u', 'Go to the Undo button'],
  ['?', 'Show this list'],
  ['Escape', 'Close a dialog'],
];

const STORED_AS = 'dueday.keys';

/** Whether single-character shortcuts work. Users of speech input need to switch them off (WCAG 2.1.4). */
export const areKeysOn = signal(readStored(STORED_AS) !== 'off');

export function switchKeys(isOn: boolean): void {
  areKeysOn.value = isOn;
  store(STORED_AS, isOn ? 'on' : 'off');
}

export function listenForKeys(): () => void {
  const press = (event: KeyboardEvent) => {
    if (openDialogs.peek() > 0 || !(isSearchChord(event) || isShortcut(event))) return;
    if (!act(event)) return;
    event.preventDefault();
  };
  addEventListener('keydown', press);
  return () => removeEventListener('keydown', press);
}

/** Ctrl-K works while typing, too, and when single-character shortcuts are off. */
function isSearchChord({ key, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return key === 'k' && (ctrlKey || metaKey);
}

function isShortcut({ ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  return areKeysOn.peek() && !ctrlKey && !metaKey && !altKey && !isTyping(target);
}

/** @returns whether the key did something */
function act({ key, ctrlKey, metaKey }: KeyboardEvent): boolean {
  switch (ctrlKey || metaKey ? '/' : key) {
    case '/':
      isSearchOpen.value = true;
      return true;
    case 'u':
      return focusOn('[data-undo]');
    case '?':
      isHelpOpen.value = true;
      return true;
    case 'j':
      return moveRow(1);
    case 'k':
      return moveRow(-1);
    default:
      return false;
  }
}

/** @returns whether the page has such an element */
function focusOn(selector: string): boolean {
  const found = document.querySelector<HTMLElement>(selector);
  found?.focus();
  if (found instanceof HTMLInputElement) found.select();
  return found !== null;
}

/** Focuses an element that has just replaced another one. The element needs `tabIndex={-1}`. */
export function useArrival<Shown extends HTMLElement>(): RefObject<Shown> {
  const arrived = useRef<Shown>(null);
  useEffect(() => arrived.current?.focus(), []);
  return arrived;
}

/** Moves the focus to the view if the focused element has gone. */
export function rescueFocus(): void {
  if (document.activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true });
}

/** Moves the focus to another row, by the elements marked `data-row`: the link or button in the cell that names a row. */
function moveRow(step: 1 | -1): boolean {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
  const at = rows.findIndex(
    (row) => row === document.activeElement || row.closest('tr')?.contains(document.activeElement),
  );
  const next = at === -1 ? firstInSight(rows) : rows[Math.min(rows.length - 1, Math.max(0, at + step))];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
  return next !== undefined;
}

function firstInSight(rows: readonly HTMLElement[]): HTMLElement | undefined {
  return rows.find((row) => row.getBoundingClientRect().top >= 0) ?? rows[0];
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null;
}
