import { createInterface } from 'node:readline/promises';
import { type Figure, formatMoney, type Money } from '../../domain/money';
import { BadInputError } from '../../process/command-error';
import { print, printObjects, printTable } from '../output';

type Item = Readonly<Record<string, unknown>>;

/** A table on a terminal; elsewhere, or where asked for, JSON: one object a line. */
export function showList(items: readonly Item[], columns: readonly string[] | undefined, asJson: boolean): void {
  if (asJson) {
    printObjects(items);
    return;
  }
  const names = columns ?? Object.keys(items[0] ?? {});
  if (items.length === 0) print('nothing');
  else printTable([names.map(headingOf), ...items.map((item) => names.map((name) => cellOf(item[name])))]);
}

/** One answer: a line a field on a terminal, JSON elsewhere. */
export function showOne(answer: unknown, asJson: boolean): void {
  if (asJson || typeof answer !== 'object' || answer === null) print(JSON.stringify(answer, null, 2));
  else printTable(Object.entries(answer).map(([name, value]) => [headingOf(name), cellOf(value)]));
}

/** `nextDueAt` is headed NEXT DUE AT. */
function headingOf(name: string): string {
  return name.replace(/([a-z0-9])([A-Z]+)/g, '$1 $2').toUpperCase();
}

const LONGEST_CELL = 120;

function cellOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (isMoney(value)) return formatMoney(value);
  if (isFigure(value)) return `${value.count} x, ${formatMoney(value.amount)}`;
  const text = typeof value === 'string' ? value : isTexts(value) ? value.join(' ') : JSON.stringify(value);
  const line = text.replace(CONTROL, ' ');
  return line.length <= LONGEST_CELL ? line : `${line.slice(0, LONGEST_CELL - 1)}…`;
}

/** What others have written must not steer a terminal. */
const CONTROL = /[\p{Cc}\p{Cf}]/gu;

function isMoney(value: unknown): value is Money {
  return typeof value === 'object' && value !== null && 'currency' in value && 'value' in value;
}

/** So much money in so many parts: as {@link Figure}, and nothing besides. */
function isFigure(value: unknown): value is Figure {
  if (typeof value !== 'object' || value === null || !('amount' in value) || !('count' in value)) return false;
  return isMoney(value.amount) && Object.keys(value).length === 2;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

/**
 * Asks before money moves or stops.
 * @param what one sentence of what follows
 * @throws BadInputError where there is no terminal to ask on, or the answer is no
 */
export async function confirm(what: string): Promise<void> {
  if (!process.stdin.isTTY) throw new BadInputError([`${what} Say --yes to do it without being asked.`]);
  const dialog = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await dialog.question(`${what} Go on? [y/N] `).finally(() => dialog.close());
  if (!/^y(es)?$/i.test(answer.trim())) throw new BadInputError(['not done']);
}
