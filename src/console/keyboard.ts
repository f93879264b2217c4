import { signal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { keep, readKept } from './kept';

/** Whether the list of keys is shown. */
export const isHelpOpen = signal(false);

/** How many dialogs are open. */
export const openDialogs = signal(0);

export const KEYS: readonly (readonly [key: string, meaning: string])[] = [
  ['/', 'Search subscriptions'],
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

/** @param goToSearch where the page has no search of its own */
export function listenForKeys(goToSearch: () => void): () => void {
  const heard = (event: KeyboardEvent) => {
    if (!areKeysOn.peek()) return;
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || openDialogs.peek() > 0) return;
    if (!act(event.key, goToSearch)) return;
    event.preventDefault();
  };
  addEventListener('keydown', heard);
  return () => removeEventListener('keydown', heard);
}

/** @returns whether the key means something here */
function act(key: string, goToSearch: () => void): boolean {
  switch (key) {
    case '/':
      if (!focusOn(SEARCH)) goToSearch();
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

/** The field of a list by which it is searched. */
const SEARCH = '[data-search]';

/** Ms for which a view that is being loaded is waited for. */
const LOADED_WITHIN = 5_000;

/** Focuses the search of the view that is about to be shown. */
export function focusSearchSoon(until = performance.now() + LOADED_WITHIN): void {
  if (!focusOn(SEARCH) && performance.now() < until) requestAnimationFrame(() => focusSearchSoon(until));
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
