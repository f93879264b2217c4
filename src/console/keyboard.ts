import { signal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { keep, readKept } from './kept';

/** Whether the list of keys is shown. */
export const isHelpOpen = signal(false);

/** Whether the search for everything is shown. */
export const isSearchOpen = signal(false);

/** How many dialogs are open. */
export const openDialogs = signal(0);

export const KEYS: readonly (readonly [key: string, meaning: string])[] = [
  ['/ or Ctrl-K', 'Search everything'],
  ['j', 'Next row'],
  ['k', 'Row before'],
  ['Enter', 'Open the row'],
  ['u', 'To the button that undoes what was just done'],
  ['?', 'These keys'],
  ['Escape', 'Close a dialog'],
];

const KEPT_AS = 'dueday.keys';

/** Whether a single character does something: not for who speaks to the page, or hits keys unawares (WCAG 2.1.4). */
export const areKeysOn = signal(readKept(KEPT_AS) !== 'off');

export function switchKeys(isOn: boolean): void {
  areKeysOn.value = isOn;
  keep(KEPT_AS, isOn ? 'on' : 'off');
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

/** Works while a user types, too, and if single characters are switched off. */
function isSearchChord({ key, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return key === 'k' && (ctrlKey || metaKey);
}

function isShortcut({ ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  return areKeysOn.peek() && !ctrlKey && !metaKey && !altKey && !isTyping(target);
}

/** @returns whether the key means something here */
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

/** @returns whether the page has such a thing */
function focusOn(selector: string): boolean {
  const found = document.querySelector<HTMLElement>(selector);
  found?.focus();
  if (found instanceof HTMLInputElement) found.select();
  return found !== null;
}

/** Of what has just come in the place of something else: the focus goes to it. It needs `tabIndex={-1}`. */
export function useArrival<Shown extends HTMLElement>(): RefObject<Shown> {
  const arrived = useRef<Shown>(null);
  useEffect(() => arrived.current?.focus(), []);
  return arrived;
}

/** Where what had the focus is gone, the view has it. */
export function saveFocus(): void {
  if (document.activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true });
}

/** Rows are what is marked `data-row`: the link or button in the first cell. */
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
